import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { OperatorError } from '@tributary/runtime';
import type { Call } from '../../engine/l5-sync/target.ts';
import type { FileSource, PagesDeploymentConfig } from './contract.ts';
import type { Fetched } from './fetched.ts';
import { fetchHttp } from './fetch-http.ts';
import { fetchOci } from './fetch-oci.ts';
import { fetchS3 } from './fetch-s3.ts';
import { readTar } from './read-tar.ts';
import { readZip } from './read-zip.ts';
import type { Files } from './upload-files.ts';

type Wishes = Pick<PagesDeploymentConfig, 'checksum' | 'archive'>;

const mostBytes = 500 * 1024 * 1024;

/** The files of a deployment, from wherever they are. */
export async function fetchFiles(source: FileSource, { checksum, archive }: Wishes, call: Call): Promise<Files> {
  if (source.type === 'files')
    return new Map(Object.entries(source.files).map(([path, text]) => [cleanPath(path), Buffer.from(text)]));
  const { bytes, name } = await fetchBytes(source, call);
  if (bytes.length > mostBytes) throw broken(`${name} has more than 500 MiB`);
  if (checksum) check(bytes, checksum, name);
  const { type = 'tar.gz', stripComponents = 0, subPath = '' } = archive ?? {};
  const prefix = cleanPath(subPath).replace(/\/?$/, '/');
  const files = [...unpack(type, bytes, name)].flatMap(
    ([path, content]): readonly (readonly [string, Uint8Array])[] => {
      const inner = cleanPath(path).split('/').slice(stripComponents).join('/');
      if (prefix === '/') return inner === '' ? [] : [[inner, content]];
      return inner.startsWith(prefix) ? [[inner.slice(prefix.length), content]] : [];
    },
  );
  if (files.length === 0) throw broken(`there is no file in ${name}${subPath ? ` below ${subPath}` : ''}`);
  return new Map(files);
}

async function fetchBytes(source: Exclude<FileSource, { readonly type: 'files' }>, call: Call): Promise<Fetched> {
  switch (source.type) {
    case 'http':
      return fetchHttp(source, call);
    case 's3':
      return fetchS3(source, call);
    case 'oci':
      return fetchOci(source, call);
    default:
      return source satisfies never;
  }
}

function check(bytes: Uint8Array, { algorithm, value }: NonNullable<Wishes['checksum']>, name: string): void {
  const sum = createHash(algorithm).update(bytes).digest('hex');
  if (sum !== value.toLowerCase())
    throw broken(`the ${algorithm} of ${name} is ${sum}, and not the one that was given`);
}

function unpack(type: string, bytes: Uint8Array, name: string): Files {
  try {
    if (type === 'none') return new Map([[name.split('/').at(-1) || 'index.html', bytes]]);
    if (type === 'zip') return readZip(bytes, mostBytes);
    return readTar(type === 'tar' ? bytes : gunzipSync(bytes, { maxOutputLength: mostBytes }));
  } catch (error) {
    throw broken(`${name} is no ${type} that can be read`, error);
  }
}

/** Without `.` and `..`, and never from the root. */
function cleanPath(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
    .join('/');
}

function broken(message: string, cause?: unknown): OperatorError {
  return new OperatorError('pages/files', message, { kind: 'after', ms: 5 * 60_000 }, { cause });
}
