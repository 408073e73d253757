import { eventKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import type { Ingress } from '../../refs/ingress/ingress-kinds.ts';
import { domain } from '../../scenarios/testing/crash-objects.ts';
import { ingress } from '../../scenarios/testing/ingress-objects.ts';
import { createTunnelWorld } from '../../scenarios/testing/tunnel-world.ts';
import type { TunnelWorld } from '../../scenarios/testing/tunnel-world.ts';

// When an Ingress whose records are ours to make shows the address of its tunnel.

let world: TunnelWorld | undefined;
afterEach(async () => world?.stop());

async function start(): Promise<TunnelWorld> {
  world = await createTunnelWorld({}, { dnsManagement: 'Automatic' }, [domain('example.com')]);
  return world;
}

function withHosts(...hosts: readonly string[]): KubeObject {
  const rules = hosts.map((host) => (ingress('app', { host }) as Ingress).spec?.rules?.[0]);
  return { ...ingress('app'), spec: { ingressClassName: 'cloudflare', rules } } as KubeObject;
}

const app = (made: TunnelWorld): Ingress | undefined => made.get(ingressKind, { namespace: 'default', name: 'app' });
const addresses = (made: TunnelWorld): number => app(made)?.status?.loadBalancer?.ingress?.length ?? 0;
const problems = (made: TunnelWorld): string | undefined =>
  app(made)?.metadata.annotations?.['cloudflare-operator.io/dns-problems'];
const told = (made: TunnelWorld): readonly string[] =>
  made
    .list(eventKind)
    .map((event) => event as unknown as { readonly reason: string; readonly message?: string })
    .filter(({ reason }) => reason === 'DNSError')
    .map(({ message = '' }) => message);

describe('the address of an Ingress in Automatic mode', () => {
  test('is not there while none of its hosts has a zone: an Event and an annotation name the host', async () => {
    const made = await start();
    await made.apply(withHosts('app.example.org'));
    await made.waitFor(() => made.routes().length === 1);
    await made.clock.advance(20_000);
    expect(addresses(made)).toBe(0);
    expect(problems(made)).toMatch(/^app\.example\.org: no zone/);
    expect(told(made)).toEqual([expect.stringMatching(/^app\.example\.org: no zone/)]);

    await made.apply(domain('example.org'));
    made.sim.dashboard('POST', '/zones', { name: 'example.org', account: { id: made.sim.accountId } });
    await made.waitFor(() => addresses(made) === 1, 20 * 60_000);
    expect(problems(made)).toBeUndefined();
  });

  test('is there as soon as one host has its record; the other one is named', async () => {
    const made = await start();
    await made.apply(withHosts('app.example.com', 'app.example.org'));
    await made.waitFor(() => addresses(made) === 1);
    await made.clock.advance(10_000);
    expect(problems(made)).toMatch(/^app\.example\.org: [^;]*$/);
    expect(made.routes()).toHaveLength(2);
  });

  test('goes when the last host that could be reached is given up for one that cannot', async () => {
    const made = await start();
    await made.apply(withHosts('app.example.com'));
    await made.waitFor(() => addresses(made) === 1);
    expect(problems(made)).toBeUndefined();
    await made.apply(withHosts('moved.example.com'));
    await made.waitFor(() => made.routes().some((route) => route.startsWith('moved.example.com')));
    expect(addresses(made)).toBe(1);
    await made.apply(withHosts('moved.example.org'));
    await made.waitFor(() => addresses(made) === 0);
    expect(problems(made)).toMatch(/^moved\.example\.org/);
  });

  test('is not shown for a record that belongs to somebody else', async () => {
    const made = await start();
    const zone = made.sim.zones.find(({ name }) => name === 'example.com')?.id ?? '';
    const foreign = { type: 'CNAME', name: 'app.example.com', content: 'elsewhere.example.net', ttl: 1 };
    made.sim.dashboard('POST', `/zones/${zone}/dns_records`, foreign);
    await made.apply(withHosts('app.example.com'));
    await made.waitFor(() => made.routes().length === 1);
    await made.clock.advance(20_000);
    expect(addresses(made)).toBe(0);
  });
});
