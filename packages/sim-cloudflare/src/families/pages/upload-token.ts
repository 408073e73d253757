import { createHmac } from 'node:crypto';
import { refusal } from '../../api/api-error.ts';
import { isFields } from '../../api/fields.ts';

export type UploadClaims = { readonly account: string; readonly project: string; readonly exp: number };

const lifetimeSeconds = 300;
const signingKey = 'the key of the simulator';

/** A short-lived permission to store files for one project. */
export function signUploadToken(account: string, project: string, nowMs: number): string {
  const claims: UploadClaims = { account, project, exp: Math.floor(nowMs / 1000) + lifetimeSeconds };
  const body = [{ alg: 'HS256', typ: 'JWT' }, claims].map(encode).join('.');
  return `${body}.${signatureOf(body)}`;
}

/** Throws what the API says to anything else that is shown to it here, a token of the account included. */
export function readUploadToken(header: string | undefined, nowMs: number): UploadClaims {
  const [head = '', payload = '', signature = ''] = (header ?? '').replace(/^Bearer +/i, '').split('.');
  const claims = signature === signatureOf(`${head}.${payload}`) ? decode(payload) : undefined;
  if (!claims || claims.exp * 1000 <= nowMs) throw refusal(401, 8_000_013, 'Authorization failed.');
  return claims;
}

function signatureOf(body: string): string {
  return createHmac('sha256', signingKey).update(body).digest('base64url');
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

function decode(payload: string): UploadClaims | undefined {
  const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
  return isFields(claims) ? (claims as UploadClaims) : undefined;
}
