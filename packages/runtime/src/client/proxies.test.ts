import { expect, test } from 'vitest';
import { startHttpProxy } from './testing/test-proxy.ts';
import { connect, get, open, textOf } from './testing/test-transport.ts';

test('requests and watches go through an HTTP proxy, over reused tunnels', async () => {
  const proxy = await startHttpProxy();
  const { transport, server } = await connect({ access: { proxyUrl: `http://127.0.0.1:${proxy.port}` } });
  server.answer((_, response) => void response.end('through'));
  for (let count = 0; count < 10; count += 1) {
    expect(textOf((await transport.request(get)).body)).toBe('through');
  }
  expect(await open(transport).ended).toBe('clean end');
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT 127.0.0.1:${server.port}`]));
  expect(proxy.asked.length).toBeLessThanOrEqual(3);
});

test('user and password in the proxy URL are shown to the proxy', async () => {
  const expected = `Basic ${Buffer.from('me:p@ss').toString('base64')}`;
  const proxy = await startHttpProxy(undefined, expected);
  const known = await connect({ access: { proxyUrl: `http://me:p%40ss@127.0.0.1:${proxy.port}` } });
  expect((await known.transport.request(get)).status).toBe(200);
  const unknown = await connect({ access: { proxyUrl: `http://127.0.0.1:${proxy.port}` } });
  await expect(unknown.transport.request(get)).rejects.toThrow('407');
});

test('the way to the proxy itself may be TLS, which the authority of the cluster vouches for', async () => {
  const { authority } = await connect();
  const proxy = await startHttpProxy(await authority.issue('proxy'));
  const { transport, server } = await connect({ access: { proxyUrl: `https://localhost:${proxy.port}` } });
  expect((await transport.request(get)).status).toBe(200);
  expect(proxy.asked).toEqual([`CONNECT 127.0.0.1:${server.port}`]);
});

test('the name of the server is checked behind a proxy too', async () => {
  const proxy = await startHttpProxy();
  const proxyUrl = `http://127.0.0.1:${proxy.port}`;
  const ca = { data: (await connect()).authority.ca };
  const right = await connect({ access: { proxyUrl, tls: { ca, serverName: 'api' } } });
  expect((await right.transport.request(get)).status).toBe(200);
  const wrong = await connect({ access: { proxyUrl, tls: { ca, serverName: 'other' } } });
  await expect(wrong.transport.request(get)).rejects.toThrow(Error);
});

test('a proxy that is not there is an error, not a wait', async () => {
  const { transport } = await connect({ access: { proxyUrl: 'http://127.0.0.1:1' } });
  await expect(transport.request(get)).rejects.toThrow(Error);
});
