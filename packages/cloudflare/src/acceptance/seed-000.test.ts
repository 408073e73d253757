import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { allKinds, contributors, targets } from '../catalog.ts';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { ingress } from '../scenarios/testing/ingress-objects.ts';
import { createTunnelWorld } from '../scenarios/testing/tunnel-world.ts';
import type { TunnelWorld } from '../scenarios/testing/tunnel-world.ts';
import type { World, WorldOptions } from '../testing/world.ts';
import { kubectlGet } from './testing/kubectl-get.ts';
import { buildOneOfEach, oneOfEach, unready } from './testing/one-of-each.ts';

// The acceptance of seed 000, point by point. Its race stands in seed-000-race.test.ts, what needs a real API server in
// seed-000.real.test.ts.

const ten = Array.from({ length: 10 }, (_, index) => `app-${index}`);
const hosts = ten.map((name) => `${name}.example.com → http://web.default.svc:80`);

let world: World | undefined;
afterEach(async () => world?.stop());

async function withTen(options: WorldOptions = {}): Promise<TunnelWorld> {
  const made = await createTunnelWorld(options);
  world = made;
  await made.apply(ten.map((name) => ingress(name)));
  await made.waitFor(() => made.routes().length === 10 && addressed(made) === 10);
  return made;
}

function addressed(made: World): number {
  return made.list(ingressKind).filter(({ status }) => (status?.loadBalancer?.ingress ?? []).length > 0).length;
}

/** Calls about the tunnel's configuration; what the test itself asks at the dashboard is not among them. */
function configurationCalls(made: TunnelWorld): readonly string[] {
  const path = `/accounts/${made.sim.accountId}/cfd_tunnel/${made.tunnelId()}/configurations`;
  return made.sim.journal
    .calls({ path })
    .filter(({ tokenId }) => tokenId !== 'dashboard')
    .map(({ method }) => method);
}

describe('8.1 What it does', () => {
  test('everything that was there works: at least one object of each kind is Ready', { timeout: 60_000 }, async () => {
    world = await buildOneOfEach();
    expect(unready(world)).toEqual([]);
    expect(addressed(world)).toBe(2);
    expect(new Set(oneOfEach().map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(28);
  });

  test('several instances are safe: three of them, their leader killed in the middle of a sync, lose and double nothing', async () => {
    const made = (world = await createTunnelWorld({ replicas: 3, sim: { latencyMs: 200 } }));
    const first = made.leader() ?? '';
    await made.apply(ten.map((name) => ingress(name)));
    await made.waitFor(() => configurationCalls(made).includes('GET'));
    expect(configurationCalls(made)).not.toContain('PUT');
    made.kill(first);
    await made.waitFor(() => made.routes().length === 10 && addressed(made) === 10, 120_000);
    expect(made.routes()).toEqual(hosts);
    expect(made.leader()).not.toBe(first);
    const tunnels = made.sim.state.rows('tunnels', made.sim.accountId);
    expect(tunnels).toHaveLength(1);
  });

  test('kubectl get cloudflaresyncstates tells the story, and so do cfss and syncstate', async () => {
    const made = await withTen();
    const rows = await kubectlGet(made.cluster.transport(), syncStateKind);
    const id = made.tunnelId();
    expect(rows).toContainEqual({
      Name: expect.stringMatching(/^tunnel-configuration-/) as string,
      Type: 'TunnelConfiguration',
      CloudflareID: id,
      Status: 'Synced',
      Version: 2,
      Age: expect.any(String) as string,
    });
    const [wide] = await kubectlGet(made.cluster.transport(), syncStateKind, { wide: true });
    expect(wide).toHaveProperty('RealID');
    expect(syncStateKind.toCrd().spec.names.shortNames).toEqual(['cfss', 'syncstate']);
    const [state] = made.list(syncStateKind).filter(({ spec }) => spec.resourceType === 'TunnelConfiguration');
    expect(state?.spec.sources).toHaveLength(11);
    expect(state?.metadata.labels).toMatchObject({ 'cloudflare-operator.io/tunnel-id': id });
  });

  test('Ingresses show the address of the tunnel once it has their rules', async () => {
    const made = await withTen();
    const { status } = made.get(ingressKind, { namespace: 'default', name: 'app-0' }) ?? {};
    expect(status?.loadBalancer?.ingress).toEqual([{ hostname: `${made.tunnelId()}.cfargotunnel.com` }]);
  });
});

describe('8.2 How fast and how quiet it is', () => {
  test('a change is at Cloudflare in under two seconds', async () => {
    const made = await withTen();
    await made.clock.advance(5000);
    const before = made.clock.now();
    await made.apply(ingress('app-3', { host: 'moved.example.com' }));
    await made.waitFor(() => made.routes().some((route) => route.startsWith('moved.example.com')));
    expect(made.clock.now() - before).toBeLessThan(2000);
    expect(made.routes()).not.toContain(hosts[3]);
  });

  test('ten Ingresses at once are one PUT with ten rules and the catch-all, and at most one GET', async () => {
    const made = await withTen();
    expect(configurationCalls(made).filter((method) => method === 'PUT')).toHaveLength(1);
    expect(configurationCalls(made).filter((method) => method === 'GET').length).toBeLessThanOrEqual(1);
    expect(made.routes()).toEqual(hosts);
    expect(made.rules().at(-1)).toMatchObject({ service: 'http_status:404' });
  });

  test('when nothing changes there is no call and no write, for ten minutes', async () => {
    const made = await withTen();
    await made.clock.advance(5000);
    made.clearCounts();
    await made.clock.advance(10 * 60_000);
    expect(made.sim.journal.calls()).toEqual([]);
    expect(made.writes()).toEqual([]);
  });
});

describe('8.3 How it is written', () => {
  const root = join(import.meta.dirname, '../../../..');
  const files = globSync('packages/{cloudflare,cloudflare-api,runtime}/src/**/*.ts', { cwd: root }).filter(
    (path) => !path.includes('/wire/'),
  );
  const linesOf = (path: string): number => readFileSync(join(root, path), 'utf8').trimEnd().split('\n').length;

  test('no file has more than 300 lines, and the linter holds to it', () => {
    expect(files.length).toBeGreaterThan(400);
    expect(files.filter((path) => linesOf(path) > 300)).toEqual([]);
    const { rules } = JSON.parse(readFileSync(join(root, '.oxlintrc.json'), 'utf8')) as Lint;
    expect(rules['max-lines']).toMatchObject(['error', { max: 300 }]);
  });

  test('all controllers follow one pattern: a kind is a declaration in its folder, and one controller runs them all', () => {
    const kinds = join(import.meta.dirname, '../kinds');
    const declared = globSync('*/contribute.ts', { cwd: kinds });
    expect(globSync('*/', { cwd: kinds })).toHaveLength(declared.length);
    // A kind of ours is served by a contributor; the SyncState is written by the layers themselves.
    const served = new Set(contributors.map(({ kind }) => kind.kind));
    expect(allKinds.map(({ kind }) => kind).filter((kind) => !served.has(kind))).toEqual(['CloudflareSyncState']);
    const types = targets.map(({ contract }) => contract.type);
    expect(new Set(types).size).toBe(types.length);
  });
});

type Lint = { readonly rules: Readonly<Record<string, unknown>> };
