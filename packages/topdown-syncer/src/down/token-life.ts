/** When a token was issued and when it stops being accepted, in milliseconds since the epoch. */
export type TokenLife = { readonly issuedMs: number; readonly expiresMs: number };

const oldestMs = 24 * 60 * 60 * 1000;
const share = 0.8;
const mostJitterMs = 10_000;

/**
 * Reads the claims, without checking the signature: V's API server made it a moment ago. So a restart knows how old each token
 * is and asks for none. Undefined when it is no JWT.
 */
export function tokenLife(token: string): TokenLife | undefined {
  const claims = claimsOf(token);
  const { iat, exp } = claims ?? {};
  if (typeof iat !== 'number' || typeof exp !== 'number') return undefined;
  // A token for the API server may live for a year in secret; what was asked for is in `warnafter`.
  const inner = claims?.['kubernetes.io'] as { readonly warnafter?: unknown } | undefined;
  const ends = typeof inner?.warnafter === 'number' ? inner.warnafter : exp;
  return { issuedMs: iat * 1000, expiresMs: ends * 1000 };
}

/** As kubelets do: after four fifths of its life, or a day. A little earlier at random, so that not all come at once. */
export function refreshAtMs({ issuedMs, expiresMs }: TokenLife, random: () => number): number {
  return issuedMs + Math.min((expiresMs - issuedMs) * share, oldestMs) - random() * mostJitterMs;
}

function claimsOf(token: string): Readonly<Record<string, unknown>> | undefined {
  const [, payload] = token.split('.');
  if (payload === undefined) return undefined;
  try {
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
}
