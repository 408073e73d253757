import type { Secret } from '@tributary/runtime';
import { contentPatch } from './content-patch.ts';

const opaque = 'Opaque';
/** P would look for a ServiceAccount of that name, and delete the Secret when it finds none. */
const accountToken = 'kubernetes.io/service-account-token';

export function translateSecret({ type = opaque, data }: Secret): Pick<Secret, 'type' | 'data'> {
  return { type: type === accountToken ? opaque : type, ...(data && { data }) };
}

export function planSecret(wanted: Secret, actual: Secret): Readonly<Record<string, unknown>> | undefined {
  return contentPatch(wanted, actual, ['data']);
}

/** The type of a Secret cannot be changed: such a copy is made anew. */
export function isOtherType(wanted: Secret, actual: Secret): boolean {
  return (wanted.type ?? opaque) !== (actual.type ?? opaque);
}
