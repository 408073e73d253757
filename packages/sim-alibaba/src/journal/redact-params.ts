import type { Params } from '../rpc/params.ts';

/** What nobody may read later, and what only says that the call was signed. */
const leftOut = new Set(['Signature', 'SecurityToken', 'OIDCToken', 'SAMLAssertion']);
const ofTheSignature = /^(AccessKeyId|Action|Format|Signature\w*|Timestamp|Version)$/;

export function redactParams(params: Params): Params {
  const kept = Object.entries(params).filter(([name]) => !ofTheSignature.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, leftOut.has(name) ? '[redacted]' : value]));
}
