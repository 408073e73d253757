// Tokens for ServiceAccounts as kube-apiserver signs them: JSON Web Tokens, ES256, with what they are bound to inside.
import { createECDH, createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import type { JsonWebKey, KeyObject } from 'node:crypto';

export type TokenClaims = {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly exp: number;
  readonly iat: number;
  readonly nbf: number;
  readonly jti: string;
  readonly 'kubernetes.io': { readonly [key: string]: unknown };
};

export type TokenIssuer = {
  readonly issuer: string;
  readonly sign: (claims: Omit<TokenClaims, 'iss'>) => string;
  /** Any claims, the issuer's name among them. */
  readonly signClaims: (claims: Readonly<Record<string, unknown>>) => string;
  /** The claims of a token that this issuer signed; expiry is the caller's to check. */
  readonly verify: (token: string) => TokenClaims | undefined;
  /** As `/openid/v1/jwks` has it. */
  readonly keys: () => { readonly keys: readonly JsonWebKey[] };
};

const verifiedKept = 1000;

type Keys = { readonly private: KeyObject; readonly public: KeyObject; readonly id: string };

/** The key comes out of the given chance and is made when the first token is asked for. */
export function createTokenIssuer(issuer: string, random: () => number): TokenIssuer {
  let made: Keys | undefined;
  const keys = (): Keys => (made ??= makeKeys(random));
  // A caller shows the same token with every request, and a signature costs more to check than most requests do to answer.
  const verified = new Map<string, TokenClaims>();
  const signClaims: TokenIssuer['signClaims'] = (claims) => {
    const { private: key, id } = keys();
    const head = encode({ alg: 'ES256', kid: id });
    const body = encode(claims);
    const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
    return `${head}.${body}.${signature.toString('base64url')}`;
  };
  return {
    issuer,
    sign: (claims) => signClaims({ iss: issuer, ...claims }),
    signClaims,
    verify: (token) => {
      const known = verified.get(token);
      if (known !== undefined) return known;
      const [head = '', body = '', signature = ''] = token.split('.');
      const { public: key } = keys();
      const signed = Buffer.from(`${head}.${body}`);
      const good = verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64url'));
      if (!good) return undefined;
      const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenClaims;
      if (verified.size === verifiedKept) verified.clear();
      verified.set(token, claims);
      return claims;
    },
    keys: () => {
      const { public: key, id } = keys();
      return { keys: [{ use: 'sig', kid: id, alg: 'ES256', ...key.export({ format: 'jwk' }) }] };
    },
  };
}

/** Whom a token names as its issuer, before anything of it is believed. */
export function tokenIssuerOf(token: string): unknown {
  const parts = token.split('.');
  if (parts.length !== 3) return undefined;
  try {
    return (JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString()) as { iss?: unknown } | null)?.iss;
  } catch {
    return undefined;
  }
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function makeKeys(random: () => number): Keys {
  const curve = createECDH('prime256v1');
  const secret = Buffer.from(Array.from({ length: 32 }, () => Math.floor(random() * 256)));
  // Above the order of the curve a number is no key; a first byte below 255 is always under it, and zero is none.
  secret[0] = (secret[0] ?? 0) % 255;
  secret[31] = (secret[31] ?? 0) | 1;
  curve.setPrivateKey(secret);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)].map((part) => part.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '', d: secret.toString('base64url') };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const open = createPublicKey(key);
  const id = createHash('sha256')
    .update(open.export({ format: 'der', type: 'spki' }))
    .digest('base64url');
  return { private: key, public: open, id };
}
