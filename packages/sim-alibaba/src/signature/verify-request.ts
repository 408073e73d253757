import type { AccessKey, Credentials } from '../credentials/create-credentials.ts';
import type { WireRequest } from '@tributary/sim-kit';
import { missingParameter, refusal } from '../rpc/rpc-error.ts';
import type { Params } from '../rpc/params.ts';
import { dateToleranceMs } from './create-nonce-memory.ts';
import type { NonceMemory } from './create-nonce-memory.ts';
import { isSameSignature, sha256, signV1, signV3, v1StringToSign, v3Algorithm } from './sign.ts';

export type VerifyDeps = {
  readonly credentials: Pick<Credentials, 'find'>;
  readonly nonces: NonceMemory;
  readonly now: () => number;
};

/** Who signed the request. `params` are those of query and form together, which the older signature covers. */
export function verifyRequest(request: WireRequest, params: Params, deps: VerifyDeps): AccessKey {
  const { authorization } = request.headers;
  return authorization === undefined ? verifyV1(request, params, deps) : verifyV3(request, authorization, deps);
}

const neededHeaders = ['host', 'x-acs-action', 'x-acs-version', 'x-acs-date', 'x-acs-signature-nonce'];

function verifyV3(request: WireRequest, authorization: string, { credentials, nonces, now }: VerifyDeps): AccessKey {
  const { accessKeyId, signedHeaders, signature } = readAuthorization(authorization);
  const { headers, method, path, query } = request;
  const sent = Object.keys(headers).filter((name) => name.startsWith('x-acs-'));
  const unsigned = [...neededHeaders, ...sent].find((name) => !signedHeaders.includes(name));
  if (unsigned) throw incomplete(`the header ${unsigned} is not signed`);
  const key = credentials.find(accessKeyId, headers['x-acs-security-token']);
  checkDate(headers['x-acs-date'], now());
  const contentHash = headers['x-acs-content-sha256'] ?? '';
  if (contentHash !== sha256(request.body)) throw mismatch('the hash of the content is another');
  const expected = signV3({ method, path, query, headers, signedHeaders, contentHash }, key.secret);
  if (!isSameSignature(signature, expected)) throw mismatch('check the canonical request');
  const nonce = headers['x-acs-signature-nonce'];
  if (!nonce) throw missingParameter('x-acs-signature-nonce');
  nonces.use(key.id, nonce);
  return key;
}

function readAuthorization(text: string): {
  readonly accessKeyId: string;
  readonly signedHeaders: readonly string[];
  readonly signature: string;
} {
  const [, algorithm, rest = ''] = /^(\S+)\s+(.*)$/.exec(text) ?? [];
  if (algorithm !== v3Algorithm) throw incomplete('the algorithm is not known');
  const fields = new Map(
    rest.split(',').map((part): [string, string] => {
      const mark = part.indexOf('=');
      return [part.slice(0, mark).trim(), part.slice(mark + 1).trim()];
    }),
  );
  const [accessKeyId, signed, signature] = ['Credential', 'SignedHeaders', 'Signature'].map((name) => fields.get(name));
  if (!accessKeyId || !signed || !signature) throw incomplete('Credential, SignedHeaders and Signature are needed');
  return { accessKeyId, signedHeaders: signed.split(';'), signature };
}

function verifyV1({ method }: WireRequest, params: Params, { credentials, nonces, now }: VerifyDeps): AccessKey {
  for (const name of [
    'AccessKeyId',
    'Signature',
    'SignatureMethod',
    'SignatureVersion',
    'SignatureNonce',
    'Timestamp',
  ]) {
    if (!params[name]) throw missingParameter(name);
  }
  const { AccessKeyId = '', Signature = '', SignatureNonce = '' } = params;
  if (params['SignatureMethod'] !== 'HMAC-SHA1' || params['SignatureVersion'] !== '1.0') {
    throw incomplete('only HMAC-SHA1 in version 1.0 is known');
  }
  const key = credentials.find(AccessKeyId, params['SecurityToken']);
  checkDate(params['Timestamp'], now());
  const pairs = Object.entries(params);
  if (!isSameSignature(Signature, signV1(method, pairs, key.secret))) {
    throw mismatch(`server string to sign is:${v1StringToSign(method, pairs)}`);
  }
  nonces.use(key.id, SignatureNonce);
  return key;
}

function checkDate(text: string | undefined, now: number): void {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text)) {
    throw refusal('IllegalTimestamp', 'The input parameter "Timestamp" is not valid.');
  }
  if (Math.abs(Date.parse(text) - now) > dateToleranceMs) {
    throw refusal('InvalidTimeStamp.Expired', 'Specified time stamp or date value is expired.');
  }
}

function incomplete(reason: string): Error {
  return refusal('IncompleteSignature', `The request signature does not conform to Aliyun standards: ${reason}.`);
}

function mismatch(reason: string): Error {
  return refusal('SignatureDoesNotMatch', `Specified signature is not matched with our calculation. ${reason}`);
}
