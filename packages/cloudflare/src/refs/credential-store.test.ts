import { connect, crdKind, namespaceKind, secretKind } from '@tributary/runtime';
import type { Connection } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { createSimulatedClock } from '@tributary/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CredentialsRef } from '../engine/l4-state/sync-state.ts';
import { cloudflareCredentialsKind } from '../kinds/cloudflare-credentials/resource.ts';
import { createCredentialStore } from './credential-store.ts';
import type { CredentialStore } from './credential-store.ts';

const clock = createSimulatedClock();
let cluster: Cluster;
let stop: AbortController;
let connection: Connection;
let store: CredentialStore;
let told: CredentialsRef[];

const inline = (name: string): CredentialsRef => ({
  name: '',
  secret: { namespace: 'default', name, tokenKey: 'TOKEN', apiKeyKey: 'KEY' },
});
const secret = (name: string, TOKEN: string) => ({
  metadata: { name, namespace: 'default' },
  data: { TOKEN: Buffer.from(TOKEN).toString('base64') },
});

/** The simulated clock stands still, so a wait that needs it is seen. */
async function ask(ref: CredentialsRef) {
  let answer: Awaited<ReturnType<CredentialStore['credentialFor']>> | undefined;
  void store.credentialFor(ref).then((given) => (answer = given));
  await clock.runUntil(() => answer !== undefined, 60_000);
  return answer;
}

beforeEach(async () => {
  cluster = await startCluster({ listen: false, clock });
  stop = new AbortController();
  connection = connect({ transport: cluster.transport(), clock });
  await connection.client.create(crdKind, { ...cloudflareCredentialsKind.toCrd() });
  await connection.client.create(namespaceKind, { metadata: { name: 'cloudflare-operator-system' } });
  store = createCredentialStore(connection);
  told = [];
  store.onChange((ref) => told.push(ref));
  connection.cache.start(stop.signal);
  void store.runnable.run(stop.signal);
  await clock.runUntil(() => connection.cache.hasSynced(), 10_000);
});
afterEach(async () => {
  stop.abort();
  await cluster.stop();
});

describe('the credential store', () => {
  test('reads the Secret that is named, and tells when it changes, goes or comes', async () => {
    const { client } = connection;
    await client.create(secretKind, secret('one', 'first'));
    expect(await ask(inline('one'))).toEqual({ ok: true, value: { kind: 'token', token: 'first' } });
    expect(told).toEqual([]);
    await client.patch(
      secretKind,
      { namespace: 'default', name: 'one' },
      { type: 'merge', body: secret('one', 'new') },
    );
    await clock.runUntil(() => told.length === 1, 10_000);
    expect(told).toEqual([inline('one')]);
    expect(await ask(inline('one'))).toEqual({ ok: true, value: { kind: 'token', token: 'new' } });
    await client.patch(
      secretKind,
      { namespace: 'default', name: 'one' },
      { type: 'merge', body: { metadata: { labels: { a: 'b' } } } },
    );
    await client.delete(secretKind, { namespace: 'default', name: 'one' });
    await clock.runUntil(() => told.length === 2, 10_000);
    expect(await ask(inline('one'))).toMatchObject({ ok: false, message: 'Secret default/one is not there' });
  });

  test('watches no Secret that nobody asks for', async () => {
    const { client } = connection;
    await client.create(secretKind, secret('one', 'first'));
    await ask(inline('one'));
    await client.create(secretKind, secret('two', 'other'));
    await clock.advance(1000);
    expect(told).toEqual([]);
  });

  test('a Secret that cannot be read keeps nobody else waiting, and is told', async () => {
    cluster.faults.add({
      match: { resource: 'secrets', verb: ['list', 'watch'] },
      fault: { kind: 'error', status: 503 },
      times: 100,
    });
    expect(await ask(inline('locked'))).toMatchObject({ ok: false, reason: 'NotReady' });
    cluster.faults.clear();
    await connection.client.create(secretKind, secret('open', 'token'));
    expect(await ask(inline('open'))).toMatchObject({ ok: true });
  });

  test('finds the Secret of CloudflareCredentials, and tells when they name another', async () => {
    const { client } = connection;
    await client.create(secretKind, secret('one', 'first'));
    const spec = { accountId: 'a', secretRef: { name: 'one', namespace: 'default', apiTokenKey: 'TOKEN' } };
    await client.create(cloudflareCredentialsKind, { metadata: { name: 'main' }, spec } as never);
    await clock.runUntil(() => told.length === 1, 10_000);
    expect(await ask({ name: 'main' })).toEqual({ ok: true, value: { kind: 'token', token: 'first' } });
    const status = { state: 'Ready' };
    await client.patchStatus(cloudflareCredentialsKind, { name: 'main' }, { type: 'merge', body: { status } });
    const body = { spec: { authType: 'globalAPIKey' } };
    await client.patch(cloudflareCredentialsKind, { name: 'main' }, { type: 'merge', body });
    await clock.runUntil(() => told.length === 2, 10_000);
    expect(await ask({ name: 'main' })).toMatchObject({
      ok: false,
      message: 'Secret default/one has no entry CLOUDFLARE_API_KEY',
    });
    expect(await ask({ name: 'nobody' })).toMatchObject({ ok: false, reason: 'NotFound' });
  });
});
