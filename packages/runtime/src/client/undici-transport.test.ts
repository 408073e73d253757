import { createSecureServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { staticAuth } from '../kubeconfig/cluster-access.ts';
import { connect, get, open, textOf } from './testing/test-transport.ts';

test('requests one after the other reuse their connections', async () => {
  const { transport, server } = await connect();
  for (let count = 0; count < 50; count += 1) await transport.request(get);
  // Two, because undici frees a connection a moment after the answer is complete.
  expect(server.connections()).toBeLessThanOrEqual(2);
});

test('requests at the same time share no more connections than allowed', async () => {
  const { transport, server } = await connect({ maxConnections: 2 });
  const answers = await Promise.all(Array.from({ length: 20 }, async () => transport.request(get)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
  expect(server.connections()).toBe(2);
});

test('open watches do not keep a request waiting', async () => {
  const { transport, server } = await connect({ maxConnections: 1 });
  server.answer((request, response) => void (request.url === '/watch' ? response.write('w') : response.end('{}')));
  const watches = Array.from({ length: 5 }, () => open(transport, { path: '/watch' }));
  await Promise.all(watches.map(async ({ heard }) => heard(1)));
  expect((await transport.request(get)).status).toBe(200);
  expect(server.connections()).toBe(6);
});

test('method, path below that of the server, headers and body arrive as they were given', async () => {
  const auth = staticAuth({ authorization: 'Bearer t', 'impersonate-group': ['a', 'b, c'] });
  const { transport, server } = await connect({ access: { auth }, below: '/k8s/clusters/c1/' });
  const seen: unknown[] = [];
  server.answer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, httpVersion, headers, rawHeaders } = request;
      const groups = rawHeaders.filter((_, at) => rawHeaders[at - 1] === 'impersonate-group');
      seen.push(
        method,
        url,
        httpVersion,
        headers['x-a'],
        headers.authorization,
        groups,
        Buffer.concat(chunks).toString(),
      );
      response.writeHead(201, { 'X-B': ['1', '2'] }).end('{"ok":true}');
    });
  });
  const request = { method: 'POST', path: '/api/v1?a=b', headers: { 'x-a': 'y' }, body: '{"水":1}' };
  const answer = await transport.request(request);
  expect(seen).toEqual(['POST', '/k8s/clusters/c1/api/v1?a=b', '1.1', 'y', 'Bearer t', ['a', 'b, c'], '{"水":1}']);
  expect([answer.status, answer.headers['x-b'], textOf(answer.body)]).toEqual([201, '1, 2', '{"ok":true}']);
});

test('a long answer is put together from its pieces, and an error status is an answer too', async () => {
  const { transport, server } = await connect();
  server.answer((_, response) => {
    response.writeHead(500);
    for (let count = 0; count < 100; count += 1) response.write('x'.repeat(10_000));
    response.end();
  });
  const { status, body } = await transport.request(get);
  expect([status, body.length]).toEqual([500, 1_000_000]);
});

test('a stream hands on its pieces as they come and resolves at the clean end', async () => {
  const { transport, server } = await connect();
  const gate = Promise.withResolvers<void>();
  server.answer((_, response) => {
    response.write('one');
    void gate.promise.then(() => response.end('two'));
  });
  const stream = open(transport);
  await stream.heard(1);
  expect([stream.heads[0]?.status, stream.chunks]).toEqual([200, ['one']]);
  gate.resolve();
  expect(await stream.ended).toBe('clean end');
  expect(stream.chunks).toEqual(['one', 'two']);
});

test('closing ends what is under way and refuses what comes later', async () => {
  const { transport, server } = await connect();
  server.answer((_, response) => void response.write('one'));
  const stream = open(transport);
  await stream.heard(1);
  await transport.close();
  expect(await stream.ended).toBeInstanceOf(Error);
  await expect(transport.request(get)).rejects.toMatchObject({ code: 'kube/closed' });
});

test('an answer of 100 to 199 before the real one is passed over', async () => {
  const { transport, server } = await connect();
  server.answer((_, response) => {
    response.writeEarlyHints({ link: '</x>; rel=preload' });
    response.end('{}');
  });
  const stream = open(transport);
  expect(await stream.ended).toBe('clean end');
  expect(stream.heads.map(({ status }) => status)).toEqual([200]);
});

test('a server that is not there is an error with its code', async () => {
  const { transport, server } = await connect();
  await server.close();
  await expect(transport.request(get)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

test('HTTP/1.1 is spoken even to a server that offers HTTP/2', async () => {
  const { authority } = await connect();
  const versions: string[] = [];
  const server = createSecureServer({ ...(await authority.issue('api')), allowHTTP1: true }, (request, response) => {
    versions.push(request.httpVersion);
    response.end('{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const { transport } = await connect({ access: { server: `https://127.0.0.1:${port}` } });
  await transport.request(get);
  await open(transport).ended;
  expect(versions).toEqual(['1.1', '1.1']);
});
