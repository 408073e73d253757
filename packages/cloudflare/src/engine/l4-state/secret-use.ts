import { createHmac } from 'node:crypto';
import { canonicalJson } from '@tributary/runtime';
import { z } from 'zod';

/**
 * How a source names secrets that layer 5 must send: where they are and which of them, and a hash by which a change is
 * known. The hash is keyed, so that equal secrets of two objects do not look equal.
 */
export const secretUse = z.object({
  namespace: z.string(),
  name: z.string(),
  /** By the place in the request, `config.client_secret`, the entry of the Secret. */
  entries: z.record(z.string(), z.string()),
  /** The uid of the object that uses them. */
  salt: z.string(),
  hash: z.string(),
});

export type SecretUse = z.output<typeof secretUse>;

/** The hash of the values by their places in the request. */
export function hashSecrets(values: Readonly<Record<string, string>>, salt: string): string {
  return createHmac('sha256', salt).update(canonicalJson(values)).digest('hex');
}
