import { hash } from 'node:crypto';

/** Where new identifiers come from; equal randomness gives equal identifiers. */
export type IdSource = {
  readonly hex: (length: number) => string;
  readonly uuid: () => string;
  readonly base64: (bytes: number) => string;
};

export function createIdSource(random: () => number): IdSource {
  const hex = (length: number): string => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('');
  return {
    hex,
    uuid: () => {
      const variant = (8 + Math.floor(random() * 4)).toString(16);
      return `${hex(8)}-${hex(4)}-4${hex(3)}-${variant}${hex(3)}-${hex(12)}`;
    },
    base64: (bytes) => Buffer.from(hex(bytes * 2), 'hex').toString('base64'),
  };
}

/** An identifier that follows from a name, so that what a simulator starts with has the same one every time. */
export function namedId(name: string, length = 32): string {
  return hash('sha256', name, 'hex').slice(0, length);
}

export function isHexId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text);
}

export function isUuid(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);
}
