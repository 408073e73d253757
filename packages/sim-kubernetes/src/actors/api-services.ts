// An APIService for every group and version that is served: those of CRDs come and go with them.
import { child, maybeChild, text } from '../kinds/draft-fields.ts';
import type { Actor, ActorContext } from '../registry/actor.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { Store } from '../storage/store.ts';
import { createKeyedWorker } from './keyed-worker.ts';

export const apiServices = { group: 'apiregistration.k8s.io', plural: 'apiservices' };
const services = { group: '', plural: 'services' };
const managed = 'kube-aggregator.kubernetes.io/automanaged';

/** How the groups of kube-apiserver are ordered; of those that are not here each is as good as another. */
const priorities: Readonly<Record<string, readonly [group: number, version: number]>> = {
  'v1.': [18_000, 1],
  'v1.admissionregistration.k8s.io': [16_700, 15],
  'v1.apiextensions.k8s.io': [16_700, 15],
  'v1.apps': [17_800, 15],
  'v1.authentication.k8s.io': [17_700, 15],
  'v1.authorization.k8s.io': [17_600, 15],
  'v2.autoscaling': [17_500, 30],
  'v1.batch': [17_400, 15],
  'v1.coordination.k8s.io': [16_500, 15],
  'v1.discovery.k8s.io': [16_200, 15],
  'v1.events.k8s.io': [17_750, 15],
  'v1.networking.k8s.io': [17_200, 15],
  'v1.node.k8s.io': [16_300, 15],
  'v1.policy': [17_100, 15],
  'v1.rbac.authorization.k8s.io': [17_000, 15],
  'v1.resource.k8s.io': [16_200, 21],
  'v1.scheduling.k8s.io': [16_600, 15],
  'v1.storage.k8s.io': [16_800, 15],
};

export function createApiServiceController(onError?: (error: unknown) => void): Actor {
  return {
    name: 'api-services',
    program: 'kube-apiserver',
    start: (context) => {
      const { store, registry, clock } = context;
      const worker = createKeyedWorker(clock, (name) => look(context, name), onError);
      const wake = (): void => {
        for (const name of [...served(context).keys(), ...registered(store)]) worker.add(name);
      };
      const stops = [
        registry.onChange(wake),
        store.subscribe(apiServices, ({ object }) => worker.add(object.metadata.name)),
        store.subscribe(services, () => remote(store).forEach((name) => worker.add(name))),
      ];
      return () => {
        for (const stop of stops) stop();
        worker.stop();
      };
    },
  };
}

/** Makes those that every cluster is born with. */
export async function seedApiServices(context: Pick<ActorContext, 'client' | 'registry'>): Promise<void> {
  for (const [name, { group, version }] of served(context)) {
    if (priorities[name] !== undefined && context.client.get(apiServices, { name }) === undefined) {
      await context.client.create(apiServices, local(name, group, version, 'onstart'));
    }
  }
}

/** Whether somebody else is said to serve a group and version. */
export function isServedElsewhere(store: Pick<Store, 'get'>, group: string, version: string): boolean {
  const found = store.get(apiServices, { name: `${version}.${group}` });
  return found !== undefined && isRemote(found);
}

type GroupVersion = { readonly group: string; readonly version: string };

function served({ registry }: Pick<ActorContext, 'registry'>): ReadonlyMap<string, GroupVersion> {
  return new Map(registry.all().map(({ group, version }) => [`${version}.${group}`, { group, version }]));
}

const isManaged = ({ metadata }: StoredObject): boolean => metadata.labels?.[managed] === 'true';

function registered(store: Store): readonly string[] {
  return store.list(apiServices).flatMap((object) => (isManaged(object) ? [object.metadata.name] : []));
}

const isRemote = (object: StoredObject): boolean => maybeChild(child(object, 'spec'), 'service') !== undefined;

function remote(store: Store): readonly string[] {
  return store.list(apiServices).flatMap((object) => (isRemote(object) ? [object.metadata.name] : []));
}

async function look(context: ActorContext, name: string): Promise<undefined> {
  const { store, client } = context;
  const found = store.get(apiServices, { name });
  const wanted = served(context).get(name);
  if (found === undefined) {
    // Those of the server itself are made when it starts, and never again.
    if (wanted === undefined || priorities[name] !== undefined) return;
    await client.create(apiServices, local(name, wanted.group, wanted.version, 'true'));
  } else if (wanted === undefined && isManaged(found)) await client.delete(apiServices, { name });
  else await judgeRemote(context, found);
}

function local(name: string, group: string, version: string, kept: string): JsonObject {
  const [groupPriorityMinimum, versionPriority] = priorities[name] ?? [1000, 100];
  return {
    apiVersion: 'apiregistration.k8s.io/v1',
    kind: 'APIService',
    metadata: { name, labels: { [managed]: kept } },
    spec: { group, version, groupPriorityMinimum, versionPriority },
  };
}

/** Who serves a group elsewhere is never asked here, so that they are there can only be denied. */
async function judgeRemote({ store, client, hooks }: ActorContext, found: StoredObject): Promise<void> {
  const service = maybeChild(child(found, 'spec'), 'service');
  if (service === undefined) return;
  const [namespace, name] = [text(service, 'namespace'), text(service, 'name')];
  const there = store.get(services, { namespace, name }) !== undefined;
  const [reason, message] = there
    ? ['FailedDiscoveryCheck', 'this server passes no requests on']
    : ['ServiceNotFound', `service/${name} in ${JSON.stringify(namespace)} is not present`];
  const write = (draft: Draft): boolean => {
    const [known] = (child(draft, 'status')['conditions'] ?? []) as readonly Draft[];
    if (known?.['reason'] === reason) return false;
    const lastTransitionTime = known?.['status'] === 'False' ? known['lastTransitionTime'] : hooks.now();
    draft['status'] = { conditions: [{ type: 'Available', status: 'False', lastTransitionTime, reason, message }] };
    return true;
  };
  await client.change(apiServices, { name: found.metadata.name }, write, { subresource: 'status', untracked: true });
}
