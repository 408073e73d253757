import { configMapKind as configMap, connect, crdKind, createManager } from '@tributary/runtime';
import type { Transport } from '@tributary/runtime';
import { expect } from 'vitest';
import { createGreetingController, greeting } from './greeting-controller.ts';

/** What a newcomer would try with the controller, on any API server. */
export async function expectGreetings(transport: Transport): Promise<void> {
  const connection = connect({ transport, freeze: true });
  const { client, clock, log } = connection;
  await client.create(crdKind, { ...greeting.toCrd() });
  const stop = new AbortController();
  const controller = createGreetingController(connection);
  const caches = [connection.cache];
  const running = createManager({ runnables: [controller], healthAddress: '0' }, { caches, clock, log }).run(
    stop.signal,
  );
  const ref = { namespace: 'default', name: 'world' };
  const readText = async (): Promise<string | undefined> => (await client.get(configMap, ref)).data?.['text'];
  const eventually = { timeout: 20_000, interval: 20 };

  const object = { metadata: ref, spec: { to: 'World' } };
  await expect.poll(async () => client.create(greeting, object).catch(() => undefined), eventually).toBeDefined();
  await expect.poll(async () => (await client.get(greeting, ref)).status?.text, eventually).toBe('Hello, World!');
  expect(await readText()).toBe('Hello, World!');

  // A change of the Greeting and a change by a stranger end in the same state.
  await client.patch(greeting, ref, { type: 'merge', body: { spec: { to: 'Kubernetes' } } });
  await expect.poll(readText, eventually).toBe('Hello, Kubernetes!');
  await client.patch(configMap, ref, { type: 'merge', body: { data: { text: 'Goodbye' } } });
  await expect.poll(readText, eventually).toBe('Hello, Kubernetes!');
  await client.delete(configMap, ref);
  await expect.poll(async () => readText().catch(() => undefined), eventually).toBe('Hello, Kubernetes!');

  const tooLong = client.patch(greeting, ref, { type: 'merge', body: { spec: { to: 'x'.repeat(65) } } });
  await expect(tooLong).rejects.toMatchObject({ code: 'kube/invalid', message: expect.stringContaining('spec.to') });

  await client.delete(greeting, ref);
  // The garbage collector of a real cluster looks for new kinds twice a minute.
  const collected = { timeout: 90_000, interval: 100 };
  await expect
    .poll(async () => readText().catch((error: { code: string }) => error.code), collected)
    .toBe('kube/not-found');
  stop.abort();
  await running;
}
