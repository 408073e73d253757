import type { Loose } from './loose.ts';

/** The conditions of an object by type, without their times. */
export const conditionsOf = (body: Loose): Loose =>
  Object.fromEntries(
    (body.status?.conditions ?? []).map(({ type, status, reason, message }: Loose) => [
      type,
      { status, reason, message },
    ]),
  );

/** A served version of a CRD that keeps every field. */
export const version = (name: string, more: Loose = {}): Loose => ({
  name,
  served: true,
  storage: false,
  schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
  ...more,
});
