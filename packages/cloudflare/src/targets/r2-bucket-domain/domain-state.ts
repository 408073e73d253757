/**
 * How far Cloudflare has come with a domain. It takes its time, and tells nobody when it is done, so somebody has to
 * look: soon at first, ever less often later.
 */
export type DomainState = {
  readonly zoneId?: string;
  /** Absent in the answer to a write. */
  readonly status?: { readonly ownership: string; readonly ssl: string };
};

/** What is remembered of a domain. */
export type KnownDomain = {
  readonly zoneId?: string;
  readonly ownership: string;
  readonly ssl: string;
  /** Since when it is waited for; in ms since 1970. */
  readonly since?: number;
};

/** Without a time nobody waits for it. */
export function toKnown(
  { zoneId, status }: DomainState,
  before: KnownDomain = { ownership: 'pending', ssl: 'pending' },
  now?: number,
): KnownDomain {
  // Both unknown is the answer of a backend that is in trouble itself, and no news of the domain.
  const isNews = status !== undefined && !(status.ownership === 'unknown' && status.ssl === 'unknown');
  const { ownership, ssl } = isNews ? status : before;
  const zone = zoneId ?? before.zoneId;
  const waits = now !== undefined && !(ownership === 'active' && ssl === 'active');
  return { ...(zone && { zoneId: zone }), ownership, ssl, ...(waits && { since: before.since ?? now }) };
}
