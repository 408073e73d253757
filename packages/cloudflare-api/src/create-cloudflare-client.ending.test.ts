import { createSimulatedClock } from '@tributary/testkit';
import { afterEach, expect, test } from 'vitest';
import { reasonOf } from './testing/reason-of.ts';
import { ok } from './testing/stub-server.ts';
import type { Responder } from './testing/stub-server.ts';
import { startTestWorld } from './testing/test-client.ts';
import type { TestWorld } from './testing/test-client.ts';

let world: TestWorld | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

async function start(respond: Responder): Promise<TestWorld> {
  world = await startTestWorld(respond, { clock: createSimulatedClock() });
  return world;
}

const zone = { zone_id: 'z1' };

test('an aborted call rejects with the reason of its signal, and leaves no listener behind', async () => {
  const { client, server, calls } = await start(() => () => undefined);
  const controller = new AbortController();
  const call = reasonOf(client.zones.get(zone, { signal: controller.signal }));
  await server.arrived(1);
  controller.abort(new Error('no longer needed'));
  expect(await call).toMatchObject({ message: 'no longer needed' });
  expect(calls.map((measure) => measure.class)).toEqual(['aborted']);
  await expect(client.zones.get(zone, { signal: controller.signal })).rejects.toThrow('no longer needed');
  expect(server.seen).toHaveLength(1);
});

test('a long-lived signal does not collect listeners', async () => {
  const { client } = await start(() => ok({}));
  const { signal } = new AbortController();
  let listeners = 0;
  const counted = new Proxy(signal, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (name === 'addEventListener') {
          listeners += 1;
          const ended = (args[2] as { signal: AbortSignal }).signal;
          ended.addEventListener('abort', () => (listeners -= 1));
        }
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
  await client.zones.get(zone, { signal: counted });
  expect(listeners).toBe(0);
});

test('closing ends calls under way and refuses later ones', async () => {
  const { client, server, forgotten } = await start(() => () => undefined);
  const call = reasonOf(client.zones.get(zone));
  await server.arrived(1);
  client.close();
  expect(await call).toMatchObject({ code: 'cloudflare/closed' });
  await expect(client.withPriority('drift').zones.get(zone)).rejects.toMatchObject({ code: 'cloudflare/closed' });
  expect(server.seen).toHaveLength(1);
  expect(forgotten).toEqual([client.credentialId]);
});
