import { secretKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { createAccessWorld } from './testing/access-world.ts';
import type { AccessWorld } from './testing/access-world.ts';

// Whole worlds, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

// One-time secrets, secrets that are sent, and where they may stand: in Secrets, and nowhere else.

let it: AccessWorld;
function inWorld(driftMs: number): void {
  beforeEach(async () => {
    it = await createAccessWorld({ operator: { driftMs } });
  });
  afterEach(async () => it.world.stop());
}

const operatorNamespace = 'cloudflare-operator-system';

function entriesOf(namespace: string, name: string): Readonly<Record<string, string>> {
  const { data = {} } = it.world.get(secretKind, { namespace, name }) ?? {};
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]));
}

async function applySecret(name: string, stringData: Readonly<Record<string, string>>): Promise<void> {
  await it.world.apply({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData } as KubeObject);
}

/** All that the simulator has stored, secrets included. */
function stored(table: string): Readonly<Record<string, unknown>> {
  const { sim } = it.world;
  return { ...sim.state.rows(table, sim.accountId)[0] };
}

/** What anybody can see who may not see Secrets. */
function seenByAll(): string {
  return JSON.stringify(it.world.list(syncStateKind));
}

const spec = { secretRef: { name: 'ci', namespace: 'default' } };
const token = (): Readonly<Record<string, unknown>> => stored('access_service_tokens');

describe('a service token', () => {
  inWorld(0);

  test('is in its Secret under the usual keys, and tells about itself all but the secret', async () => {
    await it.apply('AccessServiceToken', 'ci', spec);
    await it.untilReady('AccessServiceToken', 'ci');
    const { clientId, clientSecret, id, expiresAt } = token();
    expect(entriesOf('default', 'ci')).toEqual({
      CF_ACCESS_CLIENT_ID: clientId,
      CF_ACCESS_CLIENT_SECRET: clientSecret,
    });
    expect(it.statusOf('AccessServiceToken', 'ci')).toMatchObject({
      tokenId: id,
      clientId,
      expiresAt,
      clientSecretVersion: 1,
      secretName: 'ci',
      state: 'Ready',
    });
    expect(seenByAll()).not.toContain(clientSecret);
  });

  test('is under the keys that it asks for, and leaves other entries of the Secret alone', async () => {
    const secretRef = { ...spec.secretRef, clientIdKey: 'ID', clientSecretKey: 'TOKEN' };
    const labels = { 'app.kubernetes.io/managed-by': 'cloudflare-operator' };
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ci', labels }, stringData: { other: 'x' } };
    await it.world.apply(secret);
    await it.apply('AccessServiceToken', 'ci', { secretRef });
    await it.untilReady('AccessServiceToken', 'ci');
    expect(entriesOf('default', 'ci')).toEqual({ other: 'x', ID: token()['clientId'], TOKEN: token()['clientSecret'] });
  });

  test('that is to be under other keys, or in another Secret, is where it was no more', async () => {
    await it.apply('AccessServiceToken', 'ci', spec);
    await it.untilReady('AccessServiceToken', 'ci');
    const other = { ...spec.secretRef, clientIdKey: 'ID', clientSecretKey: 'TOKEN' };
    await it.apply('AccessServiceToken', 'ci', { secretRef: other });
    await it.world.waitFor(() => entriesOf('default', 'ci')['ID'] !== undefined);
    expect(Object.keys(entriesOf('default', 'ci'))).toEqual(['ID', 'TOKEN']);
    await it.apply('AccessServiceToken', 'ci', { secretRef: { ...other, name: 'further' } });
    await it.world.waitFor(() => entriesOf('default', 'further')['ID'] !== undefined);
    expect(entriesOf('default', 'ci')).toEqual({});
    expect(entriesOf('default', 'further')['TOKEN']).toBe(token()['clientSecret']);
  });

  test('gets another secret well before it expires, in good time for whoever uses the old one', async () => {
    await it.apply('AccessServiceToken', 'ci', { ...spec, duration: '60m' });
    await it.untilReady('AccessServiceToken', 'ci');
    const before = token();
    await it.world.clock.advance(46 * 60_000);
    expect(token()['clientSecret']).toBe(before['clientSecret']);
    await it.world.clock.advance(3 * 60_000);
    const after = token();
    expect(after['clientSecret']).not.toBe(before['clientSecret']);
    expect(entriesOf('default', 'ci')['CF_ACCESS_CLIENT_SECRET']).toBe(after['clientSecret']);
    expect(after['previousSecret']).toEqual({ secret: before['clientSecret'], expiresAt: before['expiresAt'] });
    expect(Date.parse(String(after['expiresAt'])) - Date.parse(String(before['expiresAt']))).toBeGreaterThan(
      47 * 60_000,
    );
    expect(it.statusOf('AccessServiceToken', 'ci')).toMatchObject({
      clientSecretVersion: 2,
      expiresAt: after['expiresAt'],
    });
  });

  test('is renewed in time also by an operator that was not there when it was made', async () => {
    await it.apply('AccessServiceToken', 'ci', { ...spec, duration: '60m' });
    await it.untilReady('AccessServiceToken', 'ci');
    const before = token()['clientSecret'];
    await it.world.stopReplica('replica-1');
    await it.world.clock.advance(55 * 60_000);
    it.world.start('replica-1');
    await it.world.waitFor(() => token()['clientSecret'] !== before);
    await it.world.clock.advance(5000);
    expect(entriesOf('default', 'ci')['CF_ACCESS_CLIENT_SECRET']).toBe(token()['clientSecret']);
  });

  test('never takes the Secret of somebody else', async () => {
    await applySecret('ci', { mine: 'x' });
    await it.apply('AccessServiceToken', 'ci', spec);
    await it.world.waitFor(() => it.ready('AccessServiceToken', 'ci') !== undefined);
    expect(it.ready('AccessServiceToken', 'ci')?.message).toContain('exists already and is not ours');
    expect(entriesOf('default', 'ci')).toEqual({ mine: 'x' });
  });
});

describe('an identity provider', () => {
  inWorld(60_000);
  const config = (): unknown => stored('access_identity_providers')['config'];
  const github = { type: 'github', config: { clientId: 'id' } };
  const byRef = { ...github, configSecretRef: { name: 'gh', key: 'CLIENT_SECRET', namespace: 'default' } };

  test('takes its secret from a Secret, and sends it again when it changes and never else', async () => {
    await applySecret('gh', { CLIENT_SECRET: 's3cret-1' });
    await it.apply('AccessIdentityProvider', 'gh', byRef);
    await it.untilReady('AccessIdentityProvider', 'gh');
    expect(config()).toEqual({ client_id: 'id', client_secret: 's3cret-1' });
    const writes = it.world.sim.journal.count({ write: true });
    await it.world.clock.advance(5 * 60_000);
    expect(it.world.sim.journal.count({ write: true })).toBe(writes);
    await applySecret('gh', { CLIENT_SECRET: 's3cret-2' });
    await it.world.waitFor(() => it.world.sim.journal.count({ write: true }) > writes);
    expect(config()).toEqual({ client_id: 'id', client_secret: 's3cret-2' });
    await it.world.clock.advance(5 * 60_000);
    expect(it.world.sim.journal.count({ write: true })).toBe(writes + 1);
    expect(seenByAll()).not.toContain('s3cret');
  });

  test('waits for its Secret, and says so', async () => {
    await it.apply('AccessIdentityProvider', 'gh', byRef);
    await it.world.waitFor(() => it.ready('AccessIdentityProvider', 'gh') !== undefined);
    expect(it.ready('AccessIdentityProvider', 'gh')).toMatchObject({
      reason: 'SecretNotFound',
      message: 'spec.configSecretRef: Secret default/gh is not there',
    });
    await applySecret('gh', { other: 'x' });
    await it.world.waitFor(() => it.ready('AccessIdentityProvider', 'gh')?.reason === 'InvalidSecret');
    await applySecret('gh', { CLIENT_SECRET: 's3cret', CLIENT_ID: 'from-secret' });
    await it.untilReady('AccessIdentityProvider', 'gh');
    expect(config()).toEqual({ client_id: 'from-secret', client_secret: 's3cret' });
    const writes = it.world.sim.journal.count({ write: true });
    await it.world.clock.advance(5 * 60_000);
    expect(it.world.sim.journal.count({ write: true })).toBe(writes);
  });

  test('with its secret in clear text has it in a Secret of the operator, and nowhere else', async () => {
    await it.apply('AccessIdentityProvider', 'gh', {
      type: 'github',
      config: { clientId: 'id', clientSecret: 's3cret-1' },
    });
    await it.untilReady('AccessIdentityProvider', 'gh');
    expect(config()).toEqual({ client_id: 'id', client_secret: 's3cret-1' });
    expect(entriesOf(operatorNamespace, 'accessidentityprovider-gh')).toEqual({ 'config.client_secret': 's3cret-1' });
    await it.apply('AccessIdentityProvider', 'gh', {
      type: 'github',
      config: { clientId: 'id', clientSecret: 's3cret-2' },
    });
    await it.untilReady('AccessIdentityProvider', 'gh', 2);
    expect(config()).toEqual({ client_id: 'id', client_secret: 's3cret-2' });
    expect(seenByAll()).not.toContain('s3cret');
  });

  test('whose SCIM is not spoken of any more has none', async () => {
    const github = { type: 'github', config: { clientId: 'a' } };
    await it.apply('AccessIdentityProvider', 'gh', { ...github, scimConfig: { enabled: true } });
    await it.untilReady('AccessIdentityProvider', 'gh');
    expect(stored('access_identity_providers')).toMatchObject({ scimConfig: { enabled: true } });
    await it.apply('AccessIdentityProvider', 'gh', { ...github, scimConfig: null });
    await it.world.waitFor(() => JSON.stringify(stored('access_identity_providers')).includes('"enabled":false'));
  });

  test('of another type is another provider, and the one before goes', async () => {
    await it.apply('AccessIdentityProvider', 'login', { type: 'saml', config: { issuerUrl: 'https://i' } });
    await it.untilReady('AccessIdentityProvider', 'login');
    const { providerId } = it.statusOf('AccessIdentityProvider', 'login');
    await it.apply('AccessIdentityProvider', 'login', {
      type: 'oidc',
      config: { issuerUrl: null, authUrl: 'https://a' },
    });
    await it.untilReady('AccessIdentityProvider', 'login', 2);
    await it.world.waitFor(() => it.list('identity_providers').length === 1);
    expect(it.list('identity_providers')).toMatchObject([{ type: 'oidc', config: { auth_url: 'https://a' } }]);
    expect(it.statusOf('AccessIdentityProvider', 'login')['providerId']).not.toBe(providerId);
  });

  test('for one-time pins that was there before is taken over, and left when we go', async () => {
    const before = it.send('POST', 'identity_providers', { name: 'pins', type: 'onetimepin', config: {} });
    await it.apply('AccessIdentityProvider', 'pin', { type: 'onetimepin' });
    await it.untilReady('AccessIdentityProvider', 'pin');
    expect(it.list('identity_providers')).toMatchObject([{ id: before.id, name: 'pin' }]);
    await it.remove('AccessIdentityProvider', 'pin');
    await it.untilGone('AccessIdentityProvider', 'pin');
    expect(it.list('identity_providers')).toHaveLength(1);
  });
});

describe('a look that takes nothing for granted', () => {
  inWorld(60_000);

  test('finds that the Secret of a service token was lost, and there is another secret', async () => {
    await it.apply('AccessServiceToken', 'ci', spec);
    await it.untilReady('AccessServiceToken', 'ci');
    const before = token()['clientSecret'];
    await it.world.delete(secretKind, { namespace: 'default', name: 'ci' });
    await it.world.waitFor(() => entriesOf('default', 'ci')['CF_ACCESS_CLIENT_SECRET'] !== undefined, 5 * 60_000);
    expect(token()['clientSecret']).not.toBe(before);
    expect(entriesOf('default', 'ci')['CF_ACCESS_CLIENT_SECRET']).toBe(token()['clientSecret']);
  });

  test('finds the SCIM password of an application as it was sent, though nobody can see it', async () => {
    const authentication = { scheme: 'httpbasic', user: 'me', password: 's3cret' };
    const scimConfig = { enabled: true, remoteUri: 'https://scim', authentication };
    await it.apply('AccessApplication', 'wiki', { domain: 'wiki.example.com', scimConfig });
    await it.untilReady('AccessApplication', 'wiki');
    expect(stored('access_apps')['definition']).toMatchObject({
      scim_config: { remote_uri: 'https://scim', authentication: { user: 'me', password: 's3cret' } },
    });
    expect(seenByAll()).not.toContain('s3cret');
    const writes = it.world.sim.journal.count({ write: true });
    await it.world.clock.advance(5 * 60_000);
    expect(it.world.sim.journal.count({ write: true })).toBe(writes);
  });
});
