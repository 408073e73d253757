import { systemClock } from '@tributary/runtime/clock';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createInProcessFetch } from './create-in-process-fetch.ts';
import type { Listening } from './listen.ts';
import { serve } from './serve.ts';
import type { WireHandler } from './wire.ts';

/** Answers what it heard; a path that begins with a digit asks for that status. */
const echo: WireHandler = async ({ method, path, query, headers, body }) => {
  const status = Number(path.slice(1)) || 200;
  const heard = JSON.stringify({ method, path, query: query.toString(), type: headers['content-type'], body });
  return path === '/gone' ? { kind: 'dropped' } : { kind: 'answer', status, headers: { 'x-own': 'yes' }, body: heard };
};

let server: Listening;
beforeAll(async () => {
  server = await serve(echo, { port: 0, host: '127.0.0.1' }, systemClock);
});
afterAll(async () => server.close());

const ways = {
  'over a socket': async (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init),
  'in process': async (path: string, init?: RequestInit) =>
    createInProcessFetch(echo, systemClock)(`http://nowhere${path}`, init),
};

for (const [way, ask] of Object.entries(ways)) {
  test(`${way} the handler hears method, encoded path, query, headers and body`, async () => {
    const headers = { 'Content-Type': 'application/json' };
    const response = await ask('/a%2Fb?x=1&x=2', { method: 'PATCH', headers, body: '{"ü":1}' });
    expect(response.headers.get('x-own')).toBe('yes');
    expect(await response.json()).toEqual({
      method: 'PATCH',
      path: '/a%2Fb',
      query: 'x=1&x=2',
      type: 'application/json',
      body: '{"ü":1}',
    });
  });

  test(`${way} an answer without content has neither body nor length`, async () => {
    const response = await ask('/204');
    expect(response.status).toBe(204);
    expect(response.headers.has('content-length')).toBe(false);
    expect(await response.text()).toBe('');
  });

  test(`${way} a broken connection is a failed fetch`, async () => {
    await expect(ask('/gone')).rejects.toThrow('fetch failed');
  });

  test(`${way} bytes and forms are bodies too`, async () => {
    const bytes = (await (await ask('/', { method: 'POST', body: new TextEncoder().encode('hi') })).json()) as object;
    expect(bytes).toMatchObject({ body: 'hi' });
    const form = new FormData();
    form.set('file', new Blob(['a. 1 IN A 192.0.2.1']), 'zone');
    const sent = (await (await ask('/', { method: 'POST', body: form })).json()) as { body: string };
    expect(sent.body).toContain('192.0.2.1');
  });
}
