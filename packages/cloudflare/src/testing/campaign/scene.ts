import { getCondition, parseYamlDocuments, secretKind } from '@tributary/runtime';
import type { AnyCustomKind, Condition, KubeObject, ObjectRef, Secret } from '@tributary/runtime';
import type { AnyTarget } from '../../engine/l5-sync/target.ts';
import { deploymentKind } from '../../refs/tunnels/deployment-kind.ts';
import { atDashboard, listAtDashboard } from '../dashboard.ts';
import type { Shown } from '../dashboard.ts';
import { gatewayCrds } from '../gateway-crds.ts';
import { kindOf } from '../apply-objects.ts';
import { createWorld } from '../world.ts';
import type { World } from '../world.ts';
import type { Fields } from './edit-spec.ts';
import { masked, remoteOf } from './fingerprint.ts';
import { commonNeeds, filledIn } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { schemaOf } from './schema-of.ts';

/** One object of a kind in a world of its own. */
export type Scene = {
  readonly world: World;
  /** Declares the object as a whole, and lets the world come to rest. */
  readonly declare: (fields: Fields) => Promise<Outcome>;
  readonly remove: () => Promise<void>;
};

export type Outcome = {
  readonly ready: boolean;
  readonly message: string;
  /** What has become of the declaration: at Cloudflare, in the status, in the cluster. */
  readonly result: unknown;
};

export type SceneOptions = {
  /** The catalog's when absent. */
  readonly targets?: readonly AnyTarget[];
  /** Hears of every call to Cloudflare when it is made. */
  readonly onCall?: (method: string, path: string) => void;
};

/** Cloudflare changes by itself what depends on something else, which a look shows: one is waited for before anything is compared. */
const driftMs = 60_000;
/** A look comes a tenth late at the most, and what is due is found every quarter of the period. */
const lookMs = driftMs * (1.1 + 0.25) + 10_000;

export async function openScene(
  kind: AnyCustomKind,
  fixture: Fixture,
  { targets, onCall }: SceneOptions = {},
): Promise<Scene> {
  const world = await createWorld({
    sim: { rateLimit: 'off' },
    operator: { driftMs },
    cluster: { snapshot: await installedAll() },
    ...(targets && { targets }),
    ...(fixture.download && { download: fixture.download }),
    replicas: 0,
  });
  if (onCall) tellCalls(world, onCall);
  world.start('replica-1');
  await world.applyCredentials();
  const made = (fixture.remote ?? []).map(([path, body, method = 'POST']) => {
    const result: (Partial<Shown> & { readonly policy_id?: string }) | null = atDashboard(
      world.sim,
      method,
      `/accounts/${world.sim.accountId}${path}`,
      body,
    );
    return result?.id ?? result?.policy_id ?? '';
  });
  const needs = [commonNeeds, ...(fixture.needs ? [fixture.needs] : [])].join('\n---\n');
  const objects = filledIn(parseYamlDocuments(needs) as readonly KubeObject[], world.sim, made);
  await world.apply(objects);
  for (const object of objects) if ('status' in object) await patchStatus(object, world);
  await world.clock.advance(20_000);
  const ref: ObjectRef = { ...(kind.scope === 'Namespaced' && { namespace: 'default' }), name: 'subject' };
  return {
    world,
    declare: async (fields) => {
      await declare(kind, ref, filledIn(fields, world.sim, made), world);
      await settle(kind, ref, world);
      return outcomeOf(kind, ref, world, new Set(fixture.past));
    },
    remove: async () => {
      await world.delete(kind, ref);
      await world.waitFor(() => world.get(kind, ref) === undefined, 600_000);
    },
  };
}

let installed: Promise<ReturnType<World['cluster']['snapshot']>> | undefined;

/** A cluster with all kinds, those of the Gateway API included, which records may follow: made once, as it takes long. */
async function installedAll(): ReturnType<typeof install> {
  installed ??= install();
  return installed;
}

async function install(): Promise<ReturnType<World['cluster']['snapshot']>> {
  const world = await createWorld({ replicas: 0 });
  await world.apply(gatewayCrds('standard'));
  await world.clock.settle();
  const snapshot = world.cluster.snapshot();
  await world.stop();
  return snapshot;
}

/** What somebody else would say of it, such as an address. */
async function patchStatus(object: KubeObject, { user, cluster }: World): Promise<void> {
  const kind = kindOf(object, cluster.registry);
  const { name = '', namespace } = object.metadata;
  const ref = kind.scope === 'Namespaced' ? { namespace: namespace ?? 'default', name } : { name };
  const { status } = object as { readonly status?: unknown };
  await user.client.patchStatus(kind, ref, { type: 'merge', body: { status } });
}

function tellCalls({ sim }: World, onCall: NonNullable<SceneOptions['onCall']>): void {
  const { fetch } = sim;
  const telling: typeof fetch = async (url, init) => {
    const { pathname } = new URL(typeof url === 'string' || url instanceof URL ? url : url.url);
    onCall(init?.method ?? 'GET', pathname.replace('/client/v4', ''));
    return fetch(url, init);
  };
  // The replicas look it up at each call.
  (sim as { fetch: typeof fetch }).fetch = telling;
}

async function declare(kind: AnyCustomKind, ref: ObjectRef, fields: Fields, world: World): Promise<void> {
  const { version, root } = schemaOf(kind);
  const head = { apiVersion: `${kind.group}/${version}`, kind: kind.kind };
  const body = root === 'spec' ? { spec: fields } : fields;
  const seen = world.get(kind, ref);
  if (!seen) {
    await world.user.client.create(kind, { ...head, metadata: ref, ...body } as never);
    return;
  }
  await world.user.client.update(kind, { ...head, metadata: seen.metadata, ...body });
}

type Told = KubeObject & { readonly status?: { readonly conditions?: readonly Condition[] } };

function readyOf(kind: AnyCustomKind, ref: ObjectRef, world: World): Condition | undefined {
  const object: Told | undefined = world.get(kind, ref);
  const ready = getCondition<Condition>(object?.status?.conditions, 'Ready');
  return ready && (ready.observedGeneration ?? 0) >= (object?.metadata.generation ?? 0) ? ready : undefined;
}

/** Until it is ready, or for as long as one would look; then until what is under way is done. */
async function settle(kind: AnyCustomKind, ref: ObjectRef, world: World): Promise<void> {
  const isReady = (): boolean => readyOf(kind, ref, world)?.status === 'True';
  // Domains and certificates take Cloudflare a while.
  await world.waitFor(isReady, 150_000).catch(() => undefined);
  await world.clock.advance(lookMs);
}

function outcomeOf(kind: AnyCustomKind, ref: ObjectRef, world: World, past: ReadonlySet<string>): Outcome {
  const object: Told | undefined = world.get(kind, ref);
  const hasConditions = object?.status?.conditions !== undefined;
  const ready = readyOf(kind, ref, world);
  // Settings and profiles are stored only where they were ever written, and shown as they are in any case.
  const { zone_settings: _settings, device_profiles: _profiles, ...stored } = world.sim.state.dump();
  return {
    ready: hasConditions ? ready?.status === 'True' : true,
    message: ready?.message ?? '',
    result: {
      remote: without(remoteOf(stored), past),
      settings: settingsOf(world),
      profiles: profilesOf(world),
      status: without(masked(object?.status ?? {}), past),
      cluster: { deployments: world.list(deploymentKind).map(toPart), secrets: secretsOf(world) },
    },
  };
}

function without(fields: unknown, names: ReadonlySet<string>): unknown {
  return Object.fromEntries(Object.entries(fields as object).filter(([name]) => !names.has(name)));
}

function settingsOf({ sim }: World): readonly string[] {
  return sim.zones.flatMap(({ id, name }) =>
    listAtDashboard(sim, `/zones/${id}/settings`).map((one) => `${name} ${one.id}: ${JSON.stringify(one['value'])}`),
  );
}

function profilesOf({ sim }: World): unknown {
  const devices = `/accounts/${sim.accountId}/devices`;
  return masked([atDashboard(sim, 'GET', `${devices}/policy`), ...listAtDashboard(sim, `${devices}/policies`)]);
}

function toPart(object: KubeObject): unknown {
  const { metadata, spec } = object as KubeObject & { readonly spec?: unknown };
  return masked({ name: metadata.name, labels: metadata.labels, spec });
}

/** Names and entries; what is in them is nobody's business. */
function secretsOf(world: World): readonly string[] {
  return world.list(secretKind).map(toLine).toSorted();
}

function toLine({ metadata, type, data = {} }: Secret): string {
  const { namespace = '', name = '' } = metadata;
  return `${namespace}/${name} ${type ?? ''} ${Object.keys(data).toSorted().join(',')}`;
}
