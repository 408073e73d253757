// Stands for the Deployment controller of kube-controller-manager: rollouts, scaling, pauses, revisions and history.
import { createHash } from 'node:crypto';
import type { Actor, ActorContext } from '../../registry/actor.ts';
import { isApiError } from '../../registry/api-error.ts';
import { cloneJson } from '../../registry/clone-json.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { child, count, ensureChild, flag, maybeNumber, textMap } from '../../kinds/draft-fields.ts';
import { createKeyedWorker } from '../keyed-worker.ts';
import { keyOf, refOf } from '../object-keys.ts';
import { recordEvent } from '../record-event.ts';
import { deadlineMs, deploymentStatus, isComplete } from './deployment-status.ts';
import { controllerOf, controllerReference, deployments, ownedBy, replicaSets } from './owned.ts';
import { desiredKey, maxSurge, mostKey, newSize, planRollout, sizedOf } from './rollout-plan.ts';
import type { Resize } from './rollout-plan.ts';
import { isScaling, planScale } from './scale-plan.ts';

const component = 'deployment-controller';
const hashLabel = 'pod-template-hash';
const revisionKey = 'deployment.kubernetes.io/revision';

export function createDeploymentController(onError?: (error: unknown) => void): Actor {
  return {
    name: component,
    start: (context) => {
      const { store, clock } = context;
      const worker = createKeyedWorker(clock, (key) => sync(context, key), onError);
      const stopOwn = store.subscribe(deployments, ({ object }) => worker.add(keyOf(object)));
      const stopSets = store.subscribe(replicaSets, ({ object }) => {
        const owner = controllerOf(object);
        if (owner !== undefined) worker.add(`${object.metadata.namespace ?? ''}/${owner.name}`);
      });
      store.list(deployments).forEach((deployment) => worker.add(keyOf(deployment)));
      return () => {
        stopOwn();
        stopSets();
        worker.stop();
      };
    },
  };
}

async function sync(context: ActorContext, key: string): Promise<number | undefined> {
  const { store, clock } = context;
  const deployment = store.get(deployments, refOf(key));
  if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return undefined;
  const sets = ownedBy(deployment, store.list(replicaSets, deployment.metadata.namespace)).toSorted(byAge);
  const found = sets.findLast((set) => isOfTemplate(set, deployment));
  const old = sets.filter((set) => set !== found);
  const paused = flag(child(deployment, 'spec'), 'paused');
  const revision = revisionAfter(found, old);
  const current = found ?? (paused ? undefined : await createSet(context, deployment, old, revision));
  if (current !== undefined) await note(context, deployment, current, revision);
  await roll(context, deployment, current, old);
  await tell(context, deployment, { current, old, made: found === undefined && current !== undefined, revision });
  const now = store.get(deployments, refOf(key));
  return now && deadlineMs(now, clock.now());
}

/** The newest template is the newest revision, also when it was one before. */
function revisionAfter(found: StoredObject | undefined, old: readonly StoredObject[]): number {
  const newest = Math.max(0, ...old.map(revisionOf));
  return Math.max(newest + 1, found === undefined ? 0 : revisionOf(found));
}

function byAge(a: StoredObject, b: StoredObject): number {
  const difference = Date.parse(a.metadata.creationTimestamp) - Date.parse(b.metadata.creationTimestamp);
  return difference || revisionOf(a) - revisionOf(b);
}

function revisionOf({ metadata }: StoredObject): number {
  return Number(metadata.annotations?.[revisionKey] ?? 0);
}

function templateOf(object: StoredObject): Draft {
  const template = cloneJson(child(child(object, 'spec'), 'template'));
  delete ensureChild(ensureChild(template, 'metadata'), 'labels')[hashLabel];
  return template;
}

function isOfTemplate(set: StoredObject, deployment: StoredObject): boolean {
  return sameJson(templateOf(set), templateOf(deployment));
}

const digits = 'bcdfghjklmnpqrstvwxz2456789';

/** As real hashes look, and the same for the same template. */
function templateHash(deployment: StoredObject): string {
  const bytes = createHash('sha256')
    .update(JSON.stringify(templateOf(deployment)))
    .digest();
  return [...bytes.subarray(0, 9)].map((byte) => digits[byte % digits.length]).join('');
}

async function createSet(
  context: ActorContext,
  deployment: StoredObject,
  old: readonly StoredObject[],
  revision: number,
): Promise<StoredObject> {
  const { name, namespace } = deployment.metadata;
  const hash = templateHash(deployment);
  const spec = child(deployment, 'spec');
  const template = templateOf(deployment);
  const labels = { ...textMap(child(template, 'metadata'), 'labels'), [hashLabel]: hash };
  ensureChild(template, 'metadata')['labels'] = { ...labels };
  const selector = cloneJson(child(spec, 'selector'));
  ensureChild(selector, 'matchLabels')[hashLabel] = hash;
  const none = {
    wanted: 0,
    actual: 0,
    ready: 0,
    available: 0,
    terminating: 0,
    sizedFor: undefined,
    mostThen: undefined,
  };
  const empty = { name: `${name}-${hash}`, ...none };
  const replicas = newSize(deployment, empty, old.map(sizedOf));
  const minReadySeconds = count(spec, 'minReadySeconds');
  const made = await context.client.create(replicaSets, {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: empty.name,
      ...(namespace !== undefined && { namespace }),
      labels,
      annotations: { ...inherited(deployment), ...sizeNotes(deployment), [revisionKey]: String(revision) },
      ownerReferences: [controllerReference(deployment)],
    },
    spec: { replicas, ...(minReadySeconds > 0 && { minReadySeconds }), selector, template },
  } as JsonObject);
  if (replicas > 0) await tellOfSize(context, deployment, { name: empty.name, from: 0, to: replicas });
  return made;
}

const ownNotes = ['kubectl.kubernetes.io/last-applied-configuration', revisionKey];

function inherited({ metadata: { annotations = {} } }: StoredObject): Draft {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !ownNotes.includes(key)));
}

function sizeNotes(deployment: StoredObject): Record<string, string> {
  const replicas = count(child(deployment, 'spec'), 'replicas');
  return {
    [desiredKey]: String(replicas),
    [mostKey]: String(replicas + maxSurge(deployment)),
  };
}

async function roll(
  context: ActorContext,
  deployment: StoredObject,
  current: StoredObject | undefined,
  old: readonly StoredObject[],
): Promise<void> {
  const sets = current === undefined ? old : [...old, current];
  const steps = nextSizes(deployment, current, old);
  for (const step of steps) {
    const set = sets.find(({ metadata }) => metadata.name === step.name);
    if (set === undefined) continue;
    await changeSet(context, set, (draft) => {
      ensureChild(draft, 'spec')['replicas'] = step.to;
      Object.assign(ensureChild(ensureChild(draft, 'metadata'), 'annotations'), sizeNotes(deployment));
    });
    if (step.from !== step.to) await tellOfSize(context, deployment, step);
  }
  if (steps.length === 0 && isComplete(deployment, child(deployment, 'status'))) await forget(context, deployment, old);
}

function nextSizes(
  deployment: StoredObject,
  current: StoredObject | undefined,
  old: readonly StoredObject[],
): readonly Resize[] {
  const [sized, before] = [current && sizedOf(current), old.map(sizedOf)];
  const scaling = isScaling(deployment, sized === undefined ? before : [...before, sized]);
  if (sized === undefined || scaling || flag(child(deployment, 'spec'), 'paused')) {
    return planScale(deployment, sized, before).filter(({ from, to }) => scaling || from !== to);
  }
  return planRollout(deployment, sized, before);
}

/** The set of the newest template carries what is noted on the Deployment, and its revision. */
async function note(
  context: ActorContext,
  deployment: StoredObject,
  current: StoredObject,
  revision: number,
): Promise<void> {
  const notes = { ...inherited(deployment), [revisionKey]: String(revision) };
  const minReadySeconds = count(child(deployment, 'spec'), 'minReadySeconds');
  await changeSet(context, current, (draft) => {
    Object.assign(ensureChild(ensureChild(draft, 'metadata'), 'annotations'), notes);
    if (minReadySeconds > 0) ensureChild(draft, 'spec')['minReadySeconds'] = minReadySeconds;
    else delete ensureChild(draft, 'spec')['minReadySeconds'];
  });
}

async function changeSet({ client }: ActorContext, set: StoredObject, edit: (draft: Draft) => void): Promise<void> {
  const { namespace, name } = set.metadata;
  await client.change(replicaSets, { namespace, name }, (draft) => {
    const before = cloneJson(draft);
    edit(draft);
    return !sameJson(before, draft);
  });
}

async function tellOfSize(context: ActorContext, deployment: StoredObject, { name, from, to }: Resize): Promise<void> {
  const message = `Scaled ${to > from ? 'up' : 'down'} replica set ${name} from ${from} to ${to}`;
  await recordEvent(context, deployment, { type: 'Normal', reason: 'ScalingReplicaSet', message, component });
}

/** Sets of long ago, beyond the history that is wanted, go. */
async function forget({ client }: ActorContext, deployment: StoredObject, old: readonly StoredObject[]): Promise<void> {
  const limit = maybeNumber(child(deployment, 'spec'), 'revisionHistoryLimit') ?? 10;
  const idle = old.filter((set) => sizedOf(set).wanted === 0 && sizedOf(set).actual === 0);
  for (const { metadata } of idle
    .toSorted((a, b) => revisionOf(a) - revisionOf(b))
    .slice(0, Math.max(0, idle.length - limit))) {
    const { namespace, name, uid } = metadata;
    await client.delete(replicaSets, { namespace, name }, { uid }).catch((error: unknown) => {
      if (!isApiError(error) || error.status !== 404) throw error;
    });
  }
}

type Told = {
  readonly current: StoredObject | undefined;
  readonly old: readonly StoredObject[];
  readonly made: boolean;
  readonly revision: number;
};

async function tell(context: ActorContext, deployment: StoredObject, told: Told): Promise<void> {
  const { client, store, clock, hooks } = context;
  const { namespace, name, uid } = deployment.metadata;
  const latest = (set: StoredObject): StoredObject =>
    store.get(replicaSets, { namespace, name: set.metadata.name }) ?? set;
  const now = { ms: clock.now(), text: hooks.now() };
  const current = told.current && sizedOf(latest(told.current));
  const inputs = { current, old: told.old.map((set) => sizedOf(latest(set))), made: told.made, now };
  await client.change(
    deployments,
    { namespace, name },
    (draft) => {
      if ((draft as StoredObject).metadata.uid !== uid) return false;
      const status = deploymentStatus(deployment, inputs);
      const annotations = ensureChild(ensureChild(draft, 'metadata'), 'annotations');
      const noted = told.current === undefined || annotations[revisionKey] === String(told.revision);
      if (noted && sameJson(draft['status'], status)) return false;
      if (!noted) annotations[revisionKey] = String(told.revision);
      // Conditions that stay are those of the stored object, which nobody may change.
      draft['status'] = cloneJson(status);
      return true;
    },
    { subresource: 'status' },
  );
}
