import type { KubeObject, ObjectRef } from '@tributary/runtime';
import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { expect } from 'vitest';
import { syncStateKind } from '../../engine/l4-state/sync-state.ts';
import type { SyncState } from '../../engine/l4-state/sync-state.ts';
import { cloudflareDomainKind } from '../../kinds/cloudflare-domain/resource.ts';
import { clusterTunnelKind } from '../../kinds/cluster-tunnel/resource.ts';
import { dnsRecordKind } from '../../kinds/dns-record/resource.ts';
import { ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import { custom, dnsRecord, domain, tunnelBinding } from '../../scenarios/testing/crash-objects.ts';
import { clusterTunnel, ingress, ingressClass, service } from '../../scenarios/testing/ingress-objects.ts';
import { atDashboard, listAtDashboard } from '../../testing/dashboard.ts';
import type { Shown } from '../../testing/dashboard.ts';
import { readyOf, untilGone, untilReady } from './stage.ts';
import type { Stage, Story } from './stage.ts';

// One story for each point of seed 001, told on the embedded server and on a real one. The cases around each point are in
// seed-001.test.ts and seed-001-safety.test.ts.

const at = (name: string): ObjectRef => ({ namespace: 'default', name });
const zonePath = ({ zones }: SimCloudflare): string =>
  `/zones/${zones.find(({ name }) => name === 'example.net')?.id ?? ''}`;

function remote({ sim }: Stage, name: string): readonly Shown[] {
  const all = listAtDashboard(sim, `${zonePath(sim)}/dns_records`);
  return all.filter((record) => record.name === `${name}.example.net`);
}

async function stateOf(stage: Stage, kind: string, name: string): Promise<SyncState | undefined> {
  const states = await stage.list(syncStateKind);
  const isOf = ({ spec }: SyncState): boolean =>
    spec.resourceType !== 'CloudflareDomain' &&
    (spec.sources ?? []).some(({ ref }) => ref.kind === kind && ref.name === name);
  return states.find(isOf);
}

const address = (name: string, more: object = {}): KubeObject => dnsRecord(name, { content: '192.0.2.1', ...more });

const creation: Story = {
  name: '1. what is created and changed goes through the layers: object, source of a SyncState, Cloudflare, and back',
  expectStory: async (stage) => {
    await stage.apply(address('created'));
    await untilReady(stage, dnsRecordKind, at('created'));
    const before = await stateOf(stage, 'DNSRecord', 'created');
    expect(before?.spec.sources).toMatchObject([
      { ref: { kind: 'DNSRecord', ...at('created') }, config: { type: 'A', content: '192.0.2.1' }, priority: 100 },
    ]);
    const [made] = remote(stage, 'created');
    await stage.apply(address('created', { content: '192.0.2.2' }));
    await untilReady(stage, dnsRecordKind, at('created'));
    expect(remote(stage, 'created')).toMatchObject([{ id: made?.id, content: '192.0.2.2' }]);
    const after = await stateOf(stage, 'DNSRecord', 'created');
    expect(after?.metadata.name).toBe(before?.metadata.name);
    expect(after?.status?.configHash).not.toBe(before?.status?.configHash);
  },
};

const deletion: Story = {
  name: '2. deletion is what the class says: a record is deleted, a configuration cleared, settings of a zone are kept',
  expectStory: async (stage) => {
    const { sim } = stage;
    const account = `/accounts/${sim.accountId}/cfd_tunnel`;
    const { id } = atDashboard(sim, 'POST', account, { name: 'found', config_src: 'cloudflare' });
    await stage.apply(
      address('deleted'),
      custom('ClusterTunnel', 'found', { existingTunnel: { id }, enableWarpRouting: true, cloudflare: {} }),
      domain('example.com', { ssl: { mode: 'strict' } }),
    );
    await untilReady(stage, dnsRecordKind, at('deleted'));
    await untilReady(stage, clusterTunnelKind, { name: 'found' });
    await untilReady(stage, cloudflareDomainKind, { name: 'example-com' });
    const configured = (): unknown => atDashboard(sim, 'GET', `${account}/${id}/configurations`)['config'];
    await stage.until('the configuration is there', async () =>
      JSON.stringify(configured()).includes('"enabled":true'),
    );
    const zone = sim.zones.find(({ name }) => name === 'example.com')?.id ?? '';
    const mode = (): unknown => atDashboard(sim, 'GET', `/zones/${zone}/settings/ssl`)['value'];
    expect(mode()).toBe('strict');

    await untilGone(stage, dnsRecordKind, at('deleted'));
    await untilGone(stage, clusterTunnelKind, { name: 'found' });
    await untilGone(stage, cloudflareDomainKind, { name: 'example-com' });
    expect(remote(stage, 'deleted')).toEqual([]);
    expect(JSON.stringify(configured())).not.toContain('"enabled":true');
    expect(atDashboard(sim, 'GET', `${account}/${id}`)).toMatchObject({ deleted_at: null });
    expect(mode()).toBe('strict');
    expect(await stateOf(stage, 'ClusterTunnel', 'found')).toBeUndefined();
  },
};

const finalizers: Story = {
  name: '3. both finalizers are there from the first write, and stay until Cloudflare has nothing of it any more',
  expectStory: async (stage) => {
    await stage.apply(address('finalized'));
    await untilReady(stage, dnsRecordKind, at('finalized'));
    const own = 'dnsrecord.cloudflare-operator.io/finalizer';
    const state = await stateOf(stage, 'DNSRecord', 'finalized');
    const name = state?.metadata.name ?? '';
    expect((await stage.get(dnsRecordKind, at('finalized')))?.metadata.finalizers).toEqual([own]);
    expect(state?.metadata.finalizers).toEqual(['dns.sync.cloudflare-operator.io/finalizer']);

    const fault = { kind: 'server-error', when: 'before' } as const;
    const refusal = stage.sim.faults.arm({ match: { write: true }, fault, count: 'always' });
    await stage.delete(dnsRecordKind, at('finalized'));
    await stage.until('the failure is told', async () => {
      const found = await stage.get(syncStateKind, { name });
      return found?.status?.syncStatus === 'Error';
    });
    expect((await stage.get(dnsRecordKind, at('finalized')))?.metadata.finalizers).toEqual([own]);
    expect((await stage.get(syncStateKind, { name }))?.metadata.finalizers).toHaveLength(1);
    expect(remote(stage, 'finalized')).toHaveLength(1);
    stage.sim.faults.disarm(refusal);
    await stage.until('it is gone', async () => (await stage.get(dnsRecordKind, at('finalized'))) === undefined);
    expect(remote(stage, 'finalized')).toEqual([]);
    expect(await stage.get(syncStateKind, { name })).toBeUndefined();
  },
};

const status: Story = {
  name: '4. the SyncState tells how far it has come: an error in words, then Synced with hash, time and the real id',
  expectStory: async (stage) => {
    const fault = { kind: 'server-error', when: 'before' } as const;
    const refusal = stage.sim.faults.arm({ match: { write: true }, fault, count: 'always' });
    await stage.apply(address('told'));
    const told = async (): Promise<SyncState['status']> => (await stateOf(stage, 'DNSRecord', 'told'))?.status;
    await stage.until('the error is told', async () => (await told())?.syncStatus === 'Error');
    expect(await told()).toMatchObject({
      error: 'Internal server error (1000)',
      lastError: 'Internal server error (1000)',
    });
    stage.sim.faults.disarm(refusal);
    await stage.until('it is synced', async () => (await told())?.syncStatus === 'Synced');
    expect(await told()).toMatchObject({
      configHash: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      lastSyncTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      cloudflareID: remote(stage, 'told')[0]?.id,
    });
    expect(await told()).not.toHaveProperty('lastError');
  },
};

type Configured = { readonly ingress?: readonly { readonly hostname?: string; readonly service: string }[] };

async function openTunnel(stage: Stage, name: string): Promise<() => readonly string[]> {
  await stage.apply(clusterTunnel(name), ...ingressClass(name, {}, name), service('web'));
  await stage.until(`tunnel ${name} is active`, async () => {
    const found = await stage.get(clusterTunnelKind, { name });
    return found?.status?.state === 'active';
  });
  const id = (await stage.get(clusterTunnelKind, { name }))?.status?.tunnelId ?? '';
  const path = `/accounts/${stage.sim.accountId}/cfd_tunnel/${id}/configurations`;
  return () => {
    const { ingress: rules = [] } = (atDashboard(stage.sim, 'GET', path)['config'] ?? {}) as Configured;
    return rules.flatMap(({ hostname, service: to }) => (hostname === undefined ? [] : [`${hostname} → ${to}`]));
  };
}

function binding(name: string, tunnel: string, hosts: readonly string[]): KubeObject {
  return {
    ...tunnelBinding(name, hosts),
    tunnelRef: { kind: 'ClusterTunnel', name: tunnel, disableDNSUpdates: true },
  } as KubeObject;
}

const safety: Story = {
  name: '5. settings, Ingresses and a binding that come at the same moment lose no rule, and make few calls',
  expectStory: async (stage) => {
    const routes = await openTunnel(stage, 'crowded');
    stage.sim.journal.clear();
    const five = ['c1', 'c2', 'c3', 'c4', 'c5'];
    await stage.apply(
      clusterTunnel('crowded', { enableWarpRouting: true }),
      ...five.map((name) => ingress(name, { className: 'crowded' })),
      binding('c6', 'crowded', ['c6.example.com']),
    );
    await stage.until('all rules are there', async () => routes().length === 6);
    expect(routes().map((route) => route.split('.')[0])).toEqual([...five, 'c6']);
    const puts = stage.sim.journal.calls({ method: 'PUT' }).filter(({ tokenId }) => tokenId !== 'dashboard');
    expect(puts.length).toBeLessThanOrEqual(2);
  },
};

const aggregation: Story = {
  name: '6. many objects make one configuration: 10 before 50 before 100, the loser hears who won, each takes only its own away',
  expectStory: async (stage) => {
    const routes = await openTunnel(stage, 'shared');
    const host = 'wanted.example.com';
    await stage.apply(ingress('late', { host, className: 'shared' }), ingress('other', { className: 'shared' }));
    await stage.until('the Ingresses have their rules', async () => routes().length === 2);
    const subjects = [{ name: 'web', spec: { fqdn: host, target: 'http://elsewhere' } }];
    await stage.apply({ ...binding('early', 'shared', [host]), subjects } as KubeObject);
    await stage.until('the binding has the host', async () => routes().includes(`${host} → http://elsewhere`));
    const state = await stateOf(stage, 'Ingress', 'late');
    const priorities = (state?.spec.sources ?? []).map(({ ref: { kind }, priority }) => [kind, priority]);
    expect(Object.fromEntries(priorities)).toEqual({ ClusterTunnel: 10, TunnelBinding: 50, Ingress: 100 });
    await stage.until('the loser is told', async () => {
      const { annotations = {} } = (await stage.get(ingressKind, at('late')))?.metadata ?? {};
      return annotations['cloudflare-operator.io/lost-rules'] === `${host} → TunnelBinding/default/early`;
    });
    await untilGone(stage, ingressKind, at('other'));
    expect(routes()).toEqual([`${host} → http://elsewhere`]);
  },
};

const errors: Story = {
  name: '7. what is gone already counts as deleted; what Cloudflare refuses is told without its secrets',
  expectStory: async (stage) => {
    const { sim } = stage;
    await stage.apply(address('vanished'));
    await untilReady(stage, dnsRecordKind, at('vanished'));
    for (const { id } of remote(stage, 'vanished')) atDashboard(sim, 'DELETE', `${zonePath(sim)}/dns_records/${id}`);
    await untilGone(stage, dnsRecordKind, at('vanished'));

    const fault = { kind: 'refusal', status: 403, code: 9109, message: `Bad token ${sim.token}` } as const;
    const refusal = sim.faults.arm({ match: { write: true }, fault, count: 'always' });
    await stage.apply(address('refused'));
    await stage.until('the refusal is told', async () => {
      const ready = await readyOf(stage, dnsRecordKind, at('refused'));
      return ready?.reason === 'PermissionDenied';
    });
    const told = [await stage.get(dnsRecordKind, at('refused')), await stateOf(stage, 'DNSRecord', 'refused')];
    expect(JSON.stringify(told)).not.toContain(sim.token);
    sim.faults.disarm(refusal);
    await untilGone(stage, dnsRecordKind, at('refused'));
  },
};

const adoption: Story = {
  name: "8. ours carries the user's words and our mark; unmarked and equal is adopted, marked by another is refused by name",
  expectStory: async (stage) => {
    const { sim } = stage;
    const same = { type: 'A', content: '192.0.2.1', ttl: 300, comment: 'the shop' };
    const { id } = atDashboard(sim, 'POST', `${zonePath(sim)}/dns_records`, { ...same, name: 'adopted' });
    const theirs = 'front door [managed-by:DNSRecord/other/theirs]';
    const cname = { type: 'CNAME', name: 'theirs', content: 'a.example.org', ttl: 300, comment: theirs };
    atDashboard(sim, 'POST', `${zonePath(sim)}/dns_records`, cname);
    await stage.apply(
      address('adopted', { comment: 'the shop' }),
      dnsRecord('theirs', { type: 'CNAME', content: 'a.example.org' }),
    );
    await untilReady(stage, dnsRecordKind, at('adopted'));
    expect(remote(stage, 'adopted')).toMatchObject([
      { id, comment: 'the shop [managed-by:DNSRecord/default/adopted]' },
    ]);
    await stage.until('the conflict is told', async () => {
      const ready = await readyOf(stage, dnsRecordKind, at('theirs'));
      return ready?.reason === 'OwnedByOther' && ready.message.includes('DNSRecord/other/theirs');
    });
    expect(remote(stage, 'theirs')).toMatchObject([{ comment: theirs }]);
  },
};

export const seed001: readonly Story[] = [
  creation,
  deletion,
  finalizers,
  status,
  safety,
  aggregation,
  errors,
  adoption,
];
