import type { ApiMessage } from './envelope.ts';
import type { ErrorClass } from './error-class.ts';
import { errorTable } from './error-table.ts';
import type { ErrorRow } from './error-table.ts';
import type { Family } from './family.ts';

/** All that the meaning of a refusal hangs on. */
export type Refusal = {
  readonly family: Family;
  readonly method: string;
  readonly status: number;
  readonly errors: readonly ApiMessage[];
  /** Whether the body was the API's own envelope; a proxy or the edge answers something else. */
  readonly enveloped: boolean;
  /** Whether the answer names a time to come back. */
  readonly hasRetryAfter: boolean;
};

export type Meaning = { readonly class: ErrorClass; readonly apiCode: number | undefined };

/** What a refusal means, by product, status and code; by status alone where no row of the table fits. */
export function classify(refusal: Refusal): Meaning {
  const { status, errors } = refusal;
  const firstCode = errors.find(({ code }) => code !== undefined)?.code;
  if (status >= 500) return { class: 'transient', apiCode: firstCode };
  for (const message of errors.length > 0 ? withCauses(errors) : [noMessage]) {
    const row = findRow(refusal, message);
    if (row) return { class: classOfRow(row, refusal), apiCode: message.code ?? firstCode };
  }
  return { class: classOfStatus(refusal), apiCode: firstCode };
}

const noMessage: ApiMessage = { code: undefined, message: '', pointer: undefined, chain: [] };

/** Causes before what they caused: "DNS Validation Error" says less than what is wrong with the record. */
function withCauses(errors: readonly ApiMessage[]): readonly ApiMessage[] {
  return errors.flatMap((error) => [...withCauses(error.chain), error]);
}

function findRow({ family, status }: Refusal, { code, message }: ApiMessage): ErrorRow | undefined {
  const fits = (row: ErrorRow): boolean =>
    (row.code === undefined || row.code === code) &&
    (row.statuses?.includes(status) ?? true) &&
    (row.text?.test(message) ?? true);
  const own = errorTable.filter((row) => row.family === family);
  const any = errorTable.filter((row) => row.family === 'any');
  // Rows without a code come last: text is looked at only where no code has told.
  return (
    own.find((row) => row.code !== undefined && fits(row)) ??
    any.find(fits) ??
    own.find((row) => row.code === undefined && fits(row))
  );
}

function classOfRow(row: ErrorRow, { method, status, ...refusal }: Refusal): ErrorClass {
  if (status === 429) return classOfStatus({ method, status, ...refusal });
  // A deletion carries nothing that could be invalid: it is refused for what still hangs on the object.
  if (method === 'DELETE' && row.class === 'validation' && row.family !== 'any') return 'in-use';
  return row.class;
}

/** Statuses that mean one thing; what is in neither place is taken for a disturbance. */
const plainStatuses: ReadonlyMap<number, ErrorClass> = new Map([
  [400, 'validation'],
  [401, 'auth'],
  [402, 'entitlement'],
  [403, 'permission'],
  [405, 'validation'],
  [406, 'validation'],
  [409, 'conflict'],
  [411, 'validation'],
  [413, 'validation'],
  [414, 'validation'],
  [415, 'validation'],
  [422, 'validation'],
  [423, 'conflict'],
]);

function classOfStatus({ family, method, status, enveloped, hasRetryAfter }: Refusal): ErrorClass {
  // Lists take one bulk operation per account at a time and say so with the status of a rate limit.
  if (status === 429) return family === 'lists' && !hasRetryAfter ? 'conflict' : 'rate-limited';
  // Only the API may say that something is gone: a wrong base URL or a proxy must not release a finalizer.
  if (status === 404 || status === 410) return enveloped ? 'not-found' : 'transient';
  if (method === 'DELETE' && [400, 409, 422].includes(status)) return 'in-use';
  return plainStatuses.get(status) ?? 'transient';
}
