import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { connect, get, open } from './testing/test-transport.ts';

test('a stream that stays silent for 150 s is given up, one that talks in between is not', async () => {
  const { transport, server, clock } = await connect();
  const says: (() => void)[] = [];
  server.answer((_, response) => {
    const say = (): void => void response.write('.');
    says.push(say);
    say();
  });
  const stream = open(transport);
  await stream.heard(1);
  await clock.advance(149_999);
  says[0]?.();
  await stream.heard(2);
  await clock.advance(149_999);
  expect(clock.pending()).toBe(1);
  await clock.advance(1);
  expect(await stream.ended).toEqual(new Error('silence for 150000 ms'));
  expect(clock.pending()).toBe(0);
});

test('a stream may have a limit of silence of its own', async () => {
  const { transport, server, clock } = await connect();
  server.answer((_, response) => void response.write('.'));
  const stream = open(transport, { bodyTimeoutMs: 500 });
  await stream.heard(1);
  await clock.advance(500);
  expect(await stream.ended).toEqual(new Error('silence for 500 ms'));
});

test('a server that does not answer is given up after 30 s, one that stops in the middle after 60 s', async () => {
  const { transport, server, clock } = await connect();
  const arrived = Promise.withResolvers<void>();
  server.answer(() => arrived.resolve());
  const silent = transport.request(get).catch((error: unknown) => error);
  await arrived.promise;
  await clock.advance(30_000);
  expect(await silent).toEqual(new Error('silence for 30000 ms'));

  const half = Promise.withResolvers<void>();
  server.answer(({ url }, response) => {
    if (url === '/half') response.write('half', () => half.resolve());
    else response.end('{}');
  });
  const stopped = transport.request({ ...get, path: '/half' }).catch((error: unknown) => error);
  await half.promise;
  // A whole round trip later the half has arrived as well.
  await transport.request(get);
  await clock.advance(59_999);
  expect(clock.pending()).toBe(1);
  await clock.advance(1);
  expect(await stopped).toEqual(new Error('silence for 60000 ms'));
});

test('a connection that is reset breaks the stream after the pieces that came', async () => {
  const { transport, server } = await connect();
  server.answer((request, response) => {
    response.write('one');
    setImmediate(() => request.socket.destroy());
  });
  const stream = open(transport);
  expect(await stream.ended).toBeInstanceOf(Error);
  expect(stream.chunks).toEqual(['one']);
  server.answer((_, response) => void response.end('{}'));
  expect((await transport.request(get)).status).toBe(200);
});

test('an answer shorter than announced is no answer', async () => {
  const { transport, server } = await connect();
  server.answer((request, response) => {
    response.writeHead(200, { 'content-length': '100' }).write('short');
    setImmediate(() => request.socket.destroy());
  });
  await expect(transport.request(get)).rejects.toThrow(Error);
});

test('an error thrown by the reader ends the stream with that very error and closes the connection', async () => {
  const { transport, server } = await connect();
  const closed = Promise.withResolvers<void>();
  server.answer((_, response) => {
    response.on('close', closed.resolve);
    response.write('one');
  });
  const mine = new Error('mine');
  const ended = transport.stream(get, {
    onHead: () => undefined,
    onChunk: () => {
      throw mine;
    },
  });
  await expect(ended).rejects.toBe(mine);
  await closed.promise;
});

test('an aborted stream rejects with the reason, closes the connection and hands on nothing more', async () => {
  const { transport, server } = await connect();
  const closed = Promise.withResolvers<void>();
  server.answer((_, response) => {
    response.on('close', closed.resolve);
    response.write('one');
  });
  const controller = new AbortController();
  const stream = open(transport, { signal: controller.signal });
  await stream.heard(1);
  const reason = new Error('enough');
  controller.abort(reason);
  expect(await stream.ended).toBe(reason);
  await closed.promise;
  expect(stream.chunks).toEqual(['one']);
});

test('a request can be given up before it is sent, while it waits for a connection, and while it is under way', async () => {
  const { transport, server, clock } = await connect({ maxConnections: 1 });
  const arrived = Promise.withResolvers<void>();
  const paths: (string | undefined)[] = [];
  server.answer(({ url }, response) => {
    paths.push(url);
    if (url === '/slow') arrived.resolve();
    else response.end('{}');
  });
  const early = transport.request({ ...get, path: '/early', signal: AbortSignal.abort(new Error('early')) });
  await expect(early).rejects.toThrow('early');
  const slow = new AbortController();
  const underWay = transport.request({ ...get, path: '/slow', signal: slow.signal }).catch((error: unknown) => error);
  await arrived.promise;
  const queued = new AbortController();
  const waiting = transport
    .request({ ...get, path: '/queued', signal: queued.signal })
    .catch((error: unknown) => error);
  await clock.settle();
  queued.abort(new Error('queued'));
  expect(await waiting).toEqual(new Error('queued'));
  slow.abort(new Error('slow'));
  expect(await underWay).toEqual(new Error('slow'));
  await transport.request({ ...get, path: '/last' });
  expect(paths).toEqual(['/slow', '/last']);
});

test('nothing stays behind on a signal that outlives the request', async () => {
  const { transport } = await connect();
  const { signal } = new AbortController();
  await transport.request({ ...get, signal });
  await open(transport, { signal }).ended;
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('a request can be called back at the very moment it would be written, also after a wait', async () => {
  const { transport, server } = await connect({ maxConnections: 1 });
  const order: string[] = [];
  server.answer(({ url }, response) => {
    order.push(`arrived ${url}`);
    response.end('{}');
  });
  const first = transport.request({ ...get, path: '/first', beforeSend: () => void order.push('sending /first') });
  const refused = new Error('no longer the leader');
  const second = transport
    .request({
      ...get,
      path: '/second',
      beforeSend: () => {
        order.push('refusing /second');
        throw refused;
      },
    })
    .catch((error: unknown) => error);
  await first;
  expect(await second).toBe(refused);
  await transport.request({ ...get, path: '/third' });
  expect(order).toEqual(['sending /first', 'arrived /first', 'refusing /second', 'arrived /third']);
});

test('who has given up does not wait for credentials', async () => {
  const never = new Promise<never>(() => undefined);
  const { transport } = await connect({
    access: { auth: { credentials: async () => never, refused: () => undefined } },
  });
  const controller = new AbortController();
  const call = transport.request({ ...get, signal: controller.signal }).catch((error: unknown) => error);
  controller.abort(new Error('enough'));
  expect(await call).toEqual(new Error('enough'));
});
