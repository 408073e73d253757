import { badRequest } from '../registry/api-error.ts';
import { goJsonError } from '../schema/go-json-error.ts';

/** Where a paged list goes on. Revision -1: at the newest state, after the older one was compacted. */
export type ContinueToken = { readonly revision: number; readonly startKey: string };

const version = 'meta.k8s.io/v1';

export function encodeContinue({ revision, startKey }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: version, rv: revision, start: startKey })).toString('base64url');
}

export function decodeContinue(text: string): ContinueToken {
  const token = parse(text);
  if (token.v !== version) {
    throw refuse(
      `continue key is not valid: server does not recognize this encoded version ${typeof token.v === 'string' ? token.v : ''}`,
    );
  }
  if (typeof token.rv !== 'number' || token.rv === 0) {
    throw refuse(`continue key is not valid: incorrect encoded start resourceVersion (version ${version})`);
  }
  if (typeof token.start !== 'string' || token.start === '') {
    throw refuse(`continue key is not valid: encoded start key empty (version ${version})`);
  }
  const parts = token.start.split('/');
  if (parts.includes('..') || parts.includes('.')) throw refuse(`continue key is not valid: ${token.start}`);
  return { revision: token.rv, startKey: token.start };
}

function parse(text: string): { readonly v?: unknown; readonly rv?: unknown; readonly start?: unknown } {
  const json = Buffer.from(text, 'base64url').toString('latin1');
  const problem = goJsonError(json);
  if (problem !== undefined) throw refuse(`continue key is not valid: ${problem}`);
  // Names are ASCII, but a token that someone else made may hold anything.
  const value: unknown = JSON.parse(Buffer.from(json, 'latin1').toString());
  if (typeof value === 'object' && value !== null) return value;
  throw refuse('continue key is not valid: the token is no object');
}

const refuse = (text: string): Error => badRequest(`invalid continue token: ${text}`);
