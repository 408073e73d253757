import { hash } from 'node:crypto';

/** Where new identifiers come from; equal randomness gives equal identifiers. */
export type IdSource = {
  /** `eip-bp1` and the like, followed by letters and digits. */
  readonly resource: (prefix: string) => string;
  /** In capitals, as the gateway writes them. */
  readonly requestId: () => string;
  readonly secret: (length: number) => string;
};

const alphabet = 'abcdefghijklmnopqrstuvwxyz0123456789';

export function createIdSource(random: () => number): IdSource {
  const draw = (letters: string, length: number): string =>
    Array.from({ length }, () => letters[Math.floor(random() * letters.length)] ?? letters[0]).join('');
  const hex = (length: number): string => draw('0123456789ABCDEF', length);
  return {
    // The middle of a real id tells the region; these three letters are those of Hangzhou.
    resource: (prefix) => `${prefix}-bp1${draw(alphabet, 18)}`,
    requestId: () => `${hex(8)}-${hex(4)}-5${hex(3)}-A${hex(3)}-${hex(12)}`,
    secret: (length) => draw(`${alphabet}${alphabet.toUpperCase()}`, length),
  };
}

/** Letters and digits that follow from a name, so that a default key is the same after every start. */
export function namedText(name: string, length: number): string {
  return hash('sha512', name, 'base64url').replaceAll(/[-_]/g, 'x').slice(0, length);
}
