import { request } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startCluster } from '../start-cluster.ts';
import type { Cluster } from '../start-cluster.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ controllers: [] });
});
afterAll(async () => cluster.stop());

const configMaps = '/api/v1/namespaces/default/configmaps';

type OpenOptions = {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly ca?: string | undefined;
};

/** Sends and hands out the answer as it begins. */
async function open(path: string, options: OpenOptions = {}, body?: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${cluster.token}`, 'content-type': 'application/json', ...options.headers };
  return new Promise((resolve, reject) => {
    const sent = request(`${cluster.url}${path}`, { ca: cluster.ca, ...options, headers }, resolve);
    sent.once('error', reject);
    sent.end(body);
  });
}

async function read(answer: IncomingMessage): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of answer as AsyncIterable<Uint8Array>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test('the server is reached over TLS that its authority vouches for', async () => {
  const answer = await open('/version');
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse((await read(answer)).toString())).toMatchObject({ gitVersion: 'v1.36.3' });
});

test('a stranger does not trust it', async () => {
  await expect(open('/version', { ca: undefined })).rejects.toThrow(/self-signed|unable to verify/);
});

test('a watch delivers each event as it happens, and ends when the reader goes', async () => {
  const answer = await open(`${configMaps}?watch=1&resourceVersion=${cluster.store.revision()}`);
  const created = await open(configMaps, { method: 'POST' }, JSON.stringify({ metadata: { name: 'watched' } }));
  await read(created);
  const [line] = await new Promise<string[]>((resolve) => {
    answer.once('data', (chunk: Buffer) => resolve(chunk.toString().split('\n')));
  });
  expect(JSON.parse(line ?? '')).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'watched' } } });
  answer.destroy();
});

test('large answers are packed for those who ask', async () => {
  const data = { text: 'x'.repeat(200_000) };
  await read(await open(configMaps, { method: 'POST' }, JSON.stringify({ metadata: { name: 'large' }, data })));
  const packed = await open(`${configMaps}/large`, { headers: { 'accept-encoding': 'gzip' } });
  expect(packed.headers['content-encoding']).toBe('gzip');
  const bytes = await read(packed);
  expect(bytes.byteLength).toBeLessThan(5000);
  expect(JSON.parse(gunzipSync(bytes).toString())).toMatchObject({ data });
  const plain = await open(`${configMaps}/large`);
  expect(plain.headers['content-encoding']).toBeUndefined();
  await read(plain);
  const small = await open('/version', { headers: { 'accept-encoding': 'gzip' } });
  expect(small.headers['content-encoding']).toBeUndefined();
  await read(small);
});

test('a body above the limit is refused', async () => {
  const answer = await open(configMaps, { method: 'POST' }, JSON.stringify({ data: { text: 'x'.repeat(3_200_000) } }));
  expect(answer.statusCode).toBe(413);
  expect(JSON.parse((await read(answer)).toString())).toMatchObject({
    reason: 'RequestEntityTooLarge',
    message: 'Request entity too large: limit is 3145728',
  });
});

test('an injected reset breaks the connection', async () => {
  const remove = cluster.faults.add({ match: { verb: 'list' }, fault: { kind: 'reset', effect: 'before' }, times: 1 });
  await expect(open(configMaps)).rejects.toThrow(/socket hang up|ECONNRESET/);
  remove();
  await read(await open(configMaps));
});
