/** A month before the end, or after four fifths of a short life. */
const longestAheadMs = 30 * 24 * 60 * 60_000;
const share = 0.2;

type Lifetime = {
  readonly duration?: string | undefined;
  readonly expires_at?: string | null | undefined;
  readonly created_at?: string | undefined;
};

/** When a token has to be renewed: well before it expires, so that there is time for what goes wrong. */
export function renewalOf({ duration, expires_at: expiresAt }: Lifetime): { readonly at: number | undefined } {
  if (!expiresAt || duration === 'forever') return { at: undefined };
  const end = Date.parse(expiresAt);
  const life = lifeMs(duration);
  return { at: Number.isNaN(end) ? undefined : end - Math.min(longestAheadMs, life * share) };
}

function lifeMs(duration = ''): number {
  const units = { h: 3_600_000, m: 60_000, s: 1000 } as const;
  const parts = [...duration.matchAll(/(\d+)(h|m|s)/g)];
  const sum = parts.reduce((all, [, count, unit]) => all + Number(count) * units[unit as keyof typeof units], 0);
  return sum > 0 ? sum : Number.POSITIVE_INFINITY;
}
