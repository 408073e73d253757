import type { Params } from './params.ts';

/** What says who calls and how, but not what is wanted. */
const commonParams = new Set([
  'AccessKeyId',
  'Action',
  'ClientToken',
  'Format',
  'SecurityToken',
  'Signature',
  'SignatureMethod',
  'SignatureNonce',
  'SignatureType',
  'SignatureVersion',
  'Timestamp',
  'Version',
]);

/** Equal for two calls that want the same. */
export function canonicalParams(params: Params): string {
  const entries = Object.entries(ownParams(params));
  return JSON.stringify(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

export function ownParams(params: Params): Params {
  return Object.fromEntries(Object.entries(params).filter(([name]) => !commonParams.has(name)));
}
