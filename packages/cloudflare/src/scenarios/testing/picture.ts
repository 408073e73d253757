import type { AnyObject, Kind, KubeObject } from '@tributary/runtime';
import { configMapKind, secretKind } from '@tributary/runtime';
import { allKinds } from '../../catalog.ts';
import { ingressKind } from '../../refs/ingress/ingress-kinds.ts';
import { deploymentKind } from '../../refs/tunnels/deployment-kind.ts';
import type { World } from '../../testing/world.ts';

type Fields = Readonly<Record<string, unknown>>;
type Seen = Pick<World, 'sim' | 'list'>;

/** What differs between two runs that end alike: times, counters, and what only the server decides. */
const passing = new Set([
  'resourceVersion',
  'uid',
  'generation',
  'observedGeneration',
  'creationTimestamp',
  'lastTransitionTime',
  // Who wrote a field last is another process after each death.
  'managedFields',
  'lastUpdated',
  'createdAt',
  'sourceResourceVersion',
  'lastSyncTime',
  'lastReconciled',
  'lastValidatedTime',
  'configVersion',
  'version',
  'created_on',
  'modified_on',
  'created_at',
  'modified_at',
  'conns_active_at',
  'conns_inactive_at',
  'status_at',
  'tunnel_secret',
  'secret',
  'token',
  'tokenHash',
  'intentAt',
  'lookAgainAt',
]);

/** Everything that there is at Cloudflare, without ids and times, in an order of its own. */
export function pictureOfCloudflare({ sim }: Seen): readonly string[] {
  const names = namesOfIds(sim);
  return Object.entries(sim.state.dump())
    .flatMap(([table, scopes]) => Object.values(scopes).flatMap((rows) => rows.map((row) => ({ table, row }))))
    .filter(({ row }) => !isGone(row as Fields) && !isOfGone(row as Fields, sim))
    .map(({ table, row }) => `${table} ${masked(row, names)}`)
    .toSorted();
}

/** Everything that the cluster holds of ours and for us, likewise. Of Secrets only the keys. */
export function pictureOfCluster(world: Seen, official: readonly Kind<KubeObject>[] = []): readonly string[] {
  const names = namesOfIds(world.sim);
  const kinds: readonly Kind[] = [
    ...allKinds,
    ...official,
    ingressKind,
    deploymentKind,
    configMapKind,
  ] as readonly Kind[];
  const objects = kinds.flatMap((kind) => world.list<KubeObject>(kind).map((object) => ({ kind: kind.kind, object })));
  const secrets = world
    .list(secretKind)
    .map(({ metadata, data }) => ({ kind: 'Secret', object: { metadata, keys: Object.keys(data ?? {}) } }));
  return [...objects, ...secrets]
    .filter(({ object }) => object.metadata.name !== 'kube-root-ca.crt')
    .map(({ kind, object }) => `${kind} ${masked(withoutIdleFields(object), names)}`)
    .toSorted();
}

/** Whether we made or found it decides something for tunnels alone; of an adoption cut off by a crash it is not known. */
function withoutIdleFields(object: object): object {
  const { spec, status } = object as { readonly spec?: Fields; readonly status?: Fields };
  const decides = spec?.['resourceType'] === undefined || spec['resourceType'] === 'TunnelLifecycle';
  return decides ? object : { ...object, status: { ...status, created: undefined } };
}

/** Of official kinds only those that are installed can be looked at. */
export function pictureOf(world: Seen, official: readonly Kind<KubeObject>[] = []): string {
  return [...pictureOfCloudflare(world), ...pictureOfCluster(world, official)].join('\n');
}

function isGone({ deletedAt }: Fields): boolean {
  return typeof deletedAt === 'string';
}

/** The configuration of a deleted tunnel is as gone as the tunnel. */
function isOfGone({ tunnelId }: Fields, sim: World['sim']): boolean {
  return sim.state.rows('tunnels', sim.accountId).some((tunnel) => tunnel['id'] === tunnelId && isGone(tunnel));
}

/** What has a name is called by it, so that it can be seen what points where. */
function namesOfIds(sim: World['sim']): ReadonlyMap<string, string> {
  const rows = Object.values(sim.state.dump()).flatMap((scopes) => Object.values(scopes).flat()) as readonly Fields[];
  return new Map(
    rows.flatMap(({ id, name }) => (typeof id === 'string' && typeof name === 'string' ? [[id, `<${name}>`]] : [])),
  );
}

const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const hex = /(?<![0-9a-z])(?:sha256:)?[0-9a-f]{10,}(?![0-9a-z])/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;

/** Several objects, in the order in which they happened to leave. */
const sourceIds = /^[A-Z]\w+(?:\/[\w.-]+)+(?:,[A-Z]\w+(?:\/[\w.-]+)+)+$/;

function masked(value: unknown, names: ReadonlyMap<string, string>): string {
  const text = JSON.stringify(value, (key, given: unknown) => (passing.has(key) ? undefined : sorted(given)));
  const named = (id: string): string => names.get(id) ?? '<id>';
  return text.replace(uuid, named).replace(hex, named).replace(time, '<time>');
}

function sorted(value: unknown): unknown {
  if (typeof value === 'string' && sourceIds.test(value)) return value.split(',').toSorted().join(',');
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value as AnyObject).filter(([key]) => key !== 'id');
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
