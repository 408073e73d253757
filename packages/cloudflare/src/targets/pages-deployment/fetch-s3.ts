import { createHash, createHmac } from 'node:crypto';
import type { Call } from '../../engine/l5-sync/target.ts';
import type { FileSource } from './contract.ts';
import type { Fetched } from './fetched.ts';
import { answerOf, bytesOf, secretAt } from './fetch-http.ts';

type S3Source = Extract<FileSource, { readonly type: 's3' }>;

/** An object of S3, R2, MinIO and the like; without credentials one that everybody may read. */
export async function fetchS3(source: S3Source, call: Call): Promise<Fetched> {
  const { bucket, key, credentials, region = 'auto' } = source;
  const what = `s3://${bucket}/${key}`;
  const url = urlOf(source);
  const secret = credentials && (await secretAt(credentials, call));
  const headers = secret ? signedHeaders(url, region, secret, new Date(call.now())) : {};
  const response = await answerOf(call.download(url.href, { headers, signal: call.signal }), what);
  return { bytes: await bytesOf(response, what), name: key };
}

function urlOf({ bucket, key, region = 'us-east-1', endpoint, usePathStyle }: S3Source): URL {
  const base = new URL(endpoint || `https://s3.${region}.amazonaws.com`);
  const path = key.split('/').map(encode).join('/');
  const root = base.pathname.replace(/\/$/, '');
  if (usePathStyle) return new URL(`${base.origin}${root}/${encode(bucket)}/${path}`);
  return new URL(`${base.protocol}//${bucket}.${base.host}${root}/${path}`);
}

/** Strictly: these are the characters that the signature leaves alone. */
function encode(part: string): string {
  return encodeURIComponent(part).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}

const emptyHash = createHash('sha256').digest('hex');

/** AWS Signature Version 4 of a GET without a body. */
export function signedHeaders(
  { host, pathname }: URL,
  region: string,
  { accessKeyId = '', secretAccessKey = '', sessionToken }: Readonly<Record<string, string>>,
  now: Date,
): Readonly<Record<string, string>> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '');
  const day = time.slice(0, 8);
  const scope = `${day}/${region}/s3/aws4_request`;
  const headers: Readonly<Record<string, string>> = {
    'x-amz-content-sha256': emptyHash,
    'x-amz-date': time,
    ...(sessionToken && { 'x-amz-security-token': sessionToken }),
  };
  const signed = Object.entries({ host, ...headers }).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(';');
  const lines = signed.map(([name, value]) => `${name}:${value}\n`).join('');
  const request = ['GET', pathname, '', lines, names, emptyHash].join('\n');
  const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(request).digest('hex')].join('\n');
  const signingKey = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(mac, `AWS4${secretAccessKey}`);
  const signature = mac(signingKey, text).toString('hex');
  const authorization = `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope}, SignedHeaders=${names}, Signature=${signature}`;
  return { ...headers, authorization };
}

function mac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
