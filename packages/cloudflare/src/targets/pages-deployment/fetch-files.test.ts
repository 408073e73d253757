import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Call, Download } from '../../engine/l5-sync/target.ts';
import { fetchFiles } from './fetch-files.ts';
import { parseImage } from './fetch-oci.ts';
import { signedHeaders } from './fetch-s3.ts';
import { tarOf, zipOf } from './testing/archives.ts';

type Secrets = Readonly<Record<string, string>>;

function callWith(download: Download, secret?: Secrets): Call {
  const signal = new AbortController().signal;
  return { download, readSecret: async () => secret, now: () => 0, signal } as unknown as Call;
}

const http = { type: 'http', url: 'https://files.example.org/a/site.html' } as const;
const plain = { stripComponents: 0, subPath: '' };
const long = `${'x/'.repeat(60)}deep.txt`;
const tree = {
  'site/index.html': '<p>Hello, hello</p>',
  'site/a/b.txt': 'b',
  'other.txt': '',
  [`site/${long}`]: 'deep',
};

const giving =
  (body: Uint8Array<ArrayBuffer>): Download =>
  async () =>
    new Response(body);

async function textsOf(files: ReturnType<typeof fetchFiles>): Promise<Secrets> {
  return Object.fromEntries([...(await files)].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]));
}

describe('archives', () => {
  const cases = [
    { name: 'tar', bytes: tarOf(tree), archive: { type: 'tar', ...plain }, files: tree },
    { name: 'tar.gz by default', bytes: gzipSync(tarOf(tree)), archive: undefined, files: tree },
    { name: 'zip', bytes: zipOf(tree), archive: { type: 'zip', ...plain }, files: tree },
    {
      name: 'what is below a folder',
      bytes: tarOf(tree),
      archive: { type: 'tar', stripComponents: 0, subPath: './site/a/' },
      files: { 'b.txt': 'b' },
    },
    {
      name: 'without leading folders',
      bytes: tarOf({ 'v1/site/x': '1', top: '2' }),
      archive: { type: 'tar', stripComponents: 1, subPath: 'site' },
      files: { x: '1' },
    },
    {
      name: 'names that lead outside',
      bytes: tarOf({ '../../etc/x': '1' }),
      archive: { type: 'tar', ...plain },
      files: { 'etc/x': '1' },
    },
    {
      name: 'a single file',
      bytes: Buffer.from('one'),
      archive: { type: 'none', ...plain },
      files: { 'site.html': 'one' },
    },
  ];
  test.each(cases)('are unpacked: $name', async ({ bytes, archive, files }) => {
    const call = callWith(giving(new Uint8Array(bytes)));
    expect(await textsOf(fetchFiles(http, { archive }, call))).toEqual(files);
  });

  test.each([
    ['is no tar', Buffer.from('x'.repeat(600)), { type: 'tar', ...plain }],
    ['is no tar', tarOf({ x: 'y'.repeat(2000) }).subarray(0, 1600), { type: 'tar', ...plain }],
    ['is no tar.gz', tarOf(tree), undefined],
    ['is no zip', tarOf(tree), { type: 'zip', ...plain }],
    ['there is no file', tarOf(tree), { type: 'tar', stripComponents: 0, subPath: 'nowhere' }],
  ])('that are broken are told: %s', async (message, bytes, archive) => {
    await expect(fetchFiles(http, { archive }, callWith(giving(new Uint8Array(bytes))))).rejects.toThrow(message);
  });

  const checked = async (algorithm: string, value: string): ReturnType<typeof fetchFiles> => {
    const wishes = { checksum: { algorithm, value }, archive: { type: 'none', ...plain } };
    return fetchFiles(http, wishes, callWith(giving(new Uint8Array(Buffer.from('one')))));
  };

  test.each([
    ['sha256', '7692c3ad3540bb803c020b3aee66cd8887123234ea0c6e7143c0add73ff431ed'],
    ['md5', 'F97C5D29941BFB1B2FDAB0874906AB82'],
  ])('are checked by %s', async (algorithm, value) => {
    expect((await checked(algorithm, value)).size).toBe(1);
    await expect(checked(algorithm, '00')).rejects.toThrow(`the ${algorithm} of /a/site.html is`);
  });
});

test('a request to S3 is signed over its host, its time and its empty body', () => {
  // The credentials and the object of the example in the documentation of AWS, without its range.
  const secret = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' };
  const url = new URL('https://examplebucket.s3.amazonaws.com/test.txt');
  const { authorization } = signedHeaders(url, 'us-east-1', secret, new Date('2013-05-24T00:00:00Z'));
  expect(authorization?.split(', ')).toEqual([
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request',
    'SignedHeaders=host;x-amz-content-sha256;x-amz-date',
    'Signature=df548e2ce037944d03f3e68682813b093763996d597cf890ca3d9037fd231eb4',
  ]);
});

test.each([
  [{ usePathStyle: true, endpoint: 'https://minio.example.org:9000' }, 'https://minio.example.org:9000/b/a%20b/c'],
  [{ endpoint: 'https://r2.example.org' }, 'https://b.r2.example.org/a%20b/c'],
  [{ region: 'eu-central-1' }, 'https://b.s3.eu-central-1.amazonaws.com/a%20b/c'],
])('an object is asked for where it is: %j', async (fields, url) => {
  const urls: unknown[] = [];
  const call = callWith(async (asked, { headers }) => {
    urls.push(asked, Object.keys(headers ?? {}));
    return new Response('x');
  });
  await fetchFiles({ type: 's3', bucket: 'b', key: 'a b/c', ...fields }, { archive: { type: 'none', ...plain } }, call);
  expect(urls).toEqual([url, []]);
});

describe('a registry', () => {
  test.each([
    ['reg.example.org/a/b:1.0', { registry: 'reg.example.org', repository: 'a/b', reference: '1.0' }],
    ['localhost:5000/a', { registry: 'localhost:5000', repository: 'a', reference: 'latest' }],
    ['oci://r.io/a@sha256:ff', { registry: 'r.io', repository: 'a', reference: 'sha256:ff' }],
    ['team/site:x', { registry: 'registry-1.docker.io', repository: 'team/site', reference: 'x' }],
  ])('is named by an image: %s', (image, parsed) => expect(parseImage(image)).toEqual(parsed));

  test('is asked for a token where it wants one, and gives the first layer', async () => {
    const seen: string[] = [];
    const answers: Readonly<Record<string, () => Response>> = {
      'https://auth.example.org/token?service=reg&scope=pull': () => Response.json({ token: 't0ken' }),
      'https://reg.example.org/v2/site/manifests/v1': () => Response.json({ layers: [{ digest: 'sha256:1' }] }),
      'https://reg.example.org/v2/site/blobs/sha256:1': () => new Response('layer'),
    };
    const call = callWith(
      async (url, { headers = {} }) => {
        const { authorization = '' } = headers;
        seen.push(`${authorization} ${url}`.trim());
        if (url.includes('/v2/') && authorization !== 'Bearer t0ken') {
          const challenge = 'Bearer realm="https://auth.example.org/token",service="reg",scope="pull"';
          return new Response('', { status: 401, headers: { 'www-authenticate': challenge } });
        }
        return answers[url]?.() ?? new Response('', { status: 404 });
      },
      { '.dockerconfigjson': JSON.stringify({ auths: { 'https://reg.example.org': { auth: btoa('me:pw') } } }) },
    );
    const source = {
      type: 'oci',
      image: 'reg.example.org/site:v1',
      credentials: { namespace: 'n', name: 's' },
    } as const;
    const files = await textsOf(fetchFiles(source, { archive: { type: 'none', ...plain } }, call));
    expect(files).toEqual({ 'site:v1': 'layer' });
    expect(seen).toEqual([
      'https://reg.example.org/v2/site/manifests/v1',
      `Basic ${btoa('me:pw')} https://auth.example.org/token?service=reg&scope=pull`,
      'Bearer t0ken https://reg.example.org/v2/site/manifests/v1',
      'Bearer t0ken https://reg.example.org/v2/site/blobs/sha256:1',
    ]);
  });
});

test('a Secret that is not there is told by its name, and an address that nobody has by itself', async () => {
  const gone = { ...http, headers: { namespace: 'n', name: 's' } };
  await expect(fetchFiles(gone, {}, callWith(giving(new Uint8Array())))).rejects.toThrow('the Secret n/s is not there');
  const failing: Download = async () => Promise.reject(new TypeError('fetch failed: secret'));
  await expect(fetchFiles(http, {}, callWith(failing))).rejects.toThrow(`${http.url} could not be reached`);
});
