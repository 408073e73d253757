import type { SecretWish } from '../../engine/l5-sync/target.ts';
import type { TunnelSecrets } from './aggregate.ts';

/** The Secrets with the run token, and with the credentials file that older cloudflared manifests mount. */
export function toSecrets(token: string, tunnelName: string, wanted: readonly TunnelSecrets[]): readonly SecretWish[] {
  const file = toCredentialsFile(token, tunnelName);
  return wanted.flatMap(({ namespace, owner, token: tokenSecret, credentials }) => {
    const labels = { 'cloudflare-operator.io/tunnel': owner.name.slice(0, 63).replace(/[^a-z0-9]+$/, '') };
    const common = { namespace, owner, labels };
    return [
      { ...common, name: tokenSecret, data: { token } },
      ...(credentials !== undefined && file !== undefined
        ? [{ ...common, name: credentials, data: { 'credentials.json': file }, optional: true as const }]
        : []),
    ];
  });
}

type Token = { readonly a?: string; readonly t?: string; readonly s?: string };

/** A run token is the credentials file in short; one that is not is still a token. */
function toCredentialsFile(token: string, tunnelName: string): string | undefined {
  const { a, t, s } = readToken(token);
  if (a === undefined || t === undefined || s === undefined) return undefined;
  return JSON.stringify({ AccountTag: a, TunnelSecret: s, TunnelID: t, TunnelName: tunnelName });
}

function readToken(token: string): Token {
  try {
    return JSON.parse(Buffer.from(token, 'base64').toString('utf8')) as Token;
  } catch {
    return {};
  }
}
