import { OperatorError } from '@tributary/runtime';
import { hashSecrets } from '../l4-state/secret-use.ts';
import type { SecretUse } from '../l4-state/secret-use.ts';
import type { ClusterReads } from './target.ts';

/** The secrets that a source names, by their places in the request, and as they were when it named them. */
export async function readUsedSecrets(
  use: SecretUse,
  { readSecret }: Pick<ClusterReads, 'readSecret'>,
): Promise<Readonly<Record<string, string>>> {
  const place = `${use.namespace}/${use.name}`;
  const data = await readSecret(use);
  const found = Object.entries(use.entries).map(([path, entry]) => [path, data?.[entry]] as const);
  const missing = found.filter(([, value]) => value === undefined).map(([path]) => use.entries[path] ?? '');
  if (missing.length > 0) {
    const message = `the Secret ${place} is not there or lacks ${missing.join(', ')}`;
    throw new OperatorError('sync/secret-missing', message, { kind: 'after', ms: 2000 });
  }
  const values = Object.fromEntries(found) as Record<string, string>;
  if (hashSecrets(values, use.salt) !== use.hash) {
    const message = `the Secret ${place} has just changed; the object that names it will say so`;
    throw new OperatorError('sync/secret-changing', message, { kind: 'after', ms: 1000 });
  }
  return values;
}

/** A request with secrets put in their places; what was given stays as it is. */
export function withSecretsAt(body: object, values: Readonly<Record<string, string>>): object {
  return Object.entries(values).reduce<object>((made, [path, value]) => setAt(made, path.split('.'), value), body);
}

function setAt(body: object, [first = '', ...rest]: readonly string[], value: string): object {
  const inner = (body as Readonly<Record<string, unknown>>)[first];
  return { ...body, [first]: rest.length === 0 ? value : setAt(inner ?? {}, rest, value) };
}
