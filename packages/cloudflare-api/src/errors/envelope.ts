/** One entry of the envelope's `errors`, with the causes that the API hangs below it. */
export type ApiMessage = {
  readonly code: number | undefined;
  readonly message: string;
  readonly pointer: string | undefined;
  readonly chain: readonly ApiMessage[];
};

/** The body that every v4 endpoint is meant to answer with; whatever is odd in it is made regular here. */
export type Envelope = {
  readonly success: boolean | undefined;
  readonly errors: readonly ApiMessage[];
};

/** How deep causes are followed; the API nests one or two. */
const deepestChain = 5;

/** Undefined when the value is not an envelope: neither `success` nor a list of errors. */
export function toEnvelope(json: unknown): Envelope | undefined {
  if (!isRecord(json)) return undefined;
  const { success, errors } = json;
  if (typeof success !== 'boolean' && !Array.isArray(errors)) return undefined;
  return { success: typeof success === 'boolean' ? success : undefined, errors: toMessages(errors, 0) };
}

function toMessages(items: unknown, depth: number): readonly ApiMessage[] {
  if (!Array.isArray(items) || depth > deepestChain) return [];
  return items.map((item: unknown) => toMessage(item, depth));
}

function toMessage(item: unknown, depth: number): ApiMessage {
  if (!isRecord(item)) return { code: undefined, message: textOf(item), pointer: undefined, chain: [] };
  const { code, message, source, error_chain: chain } = item;
  const pointer = isRecord(source) && typeof source['pointer'] === 'string' ? source['pointer'] : undefined;
  return { code: toCode(code), message: textOf(message), pointer, chain: toMessages(chain, depth + 1) };
}

/** Zero and absent are both "no code". */
function toCode(code: unknown): number | undefined {
  const number = typeof code === 'string' && /^\d+$/u.test(code) ? Number(code) : code;
  return typeof number === 'number' && Number.isInteger(number) && number !== 0 ? number : undefined;
}

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
