import type { Annotate, UserInfo } from '../registry/admission.ts';

/** What the object in the body of a write says of itself. */
export type AuditedObject = {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
};

/** What becomes known of a request on its way through the server; each part that it passes adds what it knows. */
export type AuditTrail = {
  /** Absent while, and when, nobody knows who asks. */
  user?: UserInfo;
  actsAs?: UserInfo;
  /** The narrow right by which the caller acts as somebody else. */
  constraint?: string;
  object?: AuditedObject;
  readonly annotations: Record<string, string>;
};

export function annotateIn(trail: AuditTrail): Annotate {
  return (key, value) => void (trail.annotations[key] ??= value);
}
