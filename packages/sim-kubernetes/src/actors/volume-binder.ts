// Brings claims and volumes together that both exist, and lets go of those that are deleted and not in use. Nothing is
// provisioned here.
import type { Actor, ActorContext } from '../registry/actor.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import { at, child, ensureChild, items, maybeChild, text, texts } from '../kinds/draft-fields.ts';
import { compareQuantities, parseQuantity } from '../kinds/quantity.ts';
import { selectorMatches } from '../kinds/validation/field-checks.ts';
import { createKeyedWorker } from './keyed-worker.ts';
import { keyOf, refOf } from './object-keys.ts';

const claims = { group: '', plural: 'persistentvolumeclaims' };
const volumes = { group: '', plural: 'persistentvolumes' };
const pods = { group: '', plural: 'pods' };
const classes = { group: 'storage.k8s.io', plural: 'volumeattributesclasses' };
const classKey = 'class!';

export function createVolumeBinder(onError?: (error: unknown) => void): Actor {
  return {
    name: 'volume-binder',
    start: (context) => {
      const { store, clock } = context;
      const worker = createKeyedWorker(
        clock,
        (key) => {
          if (key.startsWith(classKey)) return releaseClass(context, key.slice(classKey.length));
          return key.includes('/') ? syncClaim(context, key) : syncVolume(context, key);
        },
        onError,
      );
      const wakeClaims = (namespace?: string): void =>
        store.list(claims, namespace).forEach((claim) => worker.add(keyOf(claim)));
      const stops = [
        store.subscribe(claims, ({ object }) => {
          worker.add(keyOf(object));
          const volume = text(child(object, 'spec'), 'volumeName');
          if (volume !== '') worker.add(volume);
        }),
        store.subscribe(volumes, ({ object }) => {
          worker.add(object.metadata.name);
          wakeClaims();
        }),
        store.subscribe(classes, ({ object }) => worker.add(`${classKey}${object.metadata.name}`)),
        store.subscribe(pods, ({ type, object }) => {
          if (type === 'DELETED') wakeClaims(object.metadata.namespace);
        }),
      ];
      wakeClaims();
      store.list(volumes).forEach(({ metadata }) => worker.add(metadata.name));
      return () => {
        for (const stop of stops) stop();
        worker.stop();
      };
    },
  };
}

/** A class of attributes stays as long as somebody has it. */
async function releaseClass(context: ActorContext, name: string): Promise<undefined> {
  const { store } = context;
  const found = store.get(classes, { name });
  if (found?.metadata.deletionTimestamp === undefined) return;
  const users = [...store.list(claims), ...store.list(volumes)];
  const used = users.some((object) => text(child(object, 'spec'), 'volumeAttributesClassName') === name);
  if (!used) await dropFinalizer(context, classes, found, 'kubernetes.io/vac-protection');
}

async function syncClaim(context: ActorContext, key: string): Promise<undefined> {
  const { store } = context;
  const claim = store.get(claims, refOf(key));
  if (claim === undefined) return;
  if (claim.metadata.deletionTimestamp !== undefined) {
    const used = store
      .list(pods, claim.metadata.namespace)
      .some((pod) => !isOver(pod) && claimsOf(pod).includes(claim.metadata.name));
    if (!used) await dropFinalizer(context, claims, claim, 'kubernetes.io/pvc-protection');
    return;
  }
  if (text(child(claim, 'status'), 'phase') === 'Bound') return;
  const volume = store
    .list(volumes)
    .filter((found) => fits(claim, found))
    .toSorted((a, b) => compareSizes(sizeOf(a), sizeOf(b)))[0];
  if (volume !== undefined) await bind(context, claim, volume);
}

function isOver(pod: StoredObject): boolean {
  const phase = text(child(pod, 'status'), 'phase');
  return phase === 'Succeeded' || phase === 'Failed';
}

function claimsOf(pod: StoredObject): readonly string[] {
  return items(child(pod, 'spec'), 'volumes').map((volume) =>
    text(child(volume, 'persistentVolumeClaim'), 'claimName'),
  );
}

function sizeOf(volume: StoredObject): string {
  return text(at(volume, 'spec.capacity'), 'storage');
}

function compareSizes(a: string, b: string): number {
  const [left, right] = [parseQuantity(a || '0'), parseQuantity(b || '0')];
  return left === undefined || right === undefined ? 0 : compareQuantities(left, right);
}

function fits(claim: StoredObject, volume: StoredObject): boolean {
  const [wanted, given] = [child(claim, 'spec'), child(volume, 'spec')];
  if (volume.metadata.deletionTimestamp !== undefined) return false;
  const owner = maybeChild(given, 'claimRef');
  if (owner !== undefined && !refersTo(owner, claim)) return false;
  const named = text(wanted, 'volumeName');
  if (named !== '') return named === volume.metadata.name;
  if (text(wanted, 'storageClassName') !== text(given, 'storageClassName')) return false;
  if (text(wanted, 'volumeMode') !== text(given, 'volumeMode')) return false;
  const selector = maybeChild(wanted, 'selector');
  if (selector !== undefined && !selectorMatches(selector, volume.metadata.labels ?? {})) return false;
  const modes = texts(given, 'accessModes');
  if (!texts(wanted, 'accessModes').every((mode) => modes.includes(mode))) return false;
  return compareSizes(sizeOf(volume), text(at(wanted, 'resources.requests'), 'storage')) >= 0;
}

function refersTo(owner: Draft, { metadata }: StoredObject): boolean {
  const uid = text(owner, 'uid');
  const same = owner['namespace'] === metadata.namespace && owner['name'] === metadata.name;
  return same && (uid === '' || uid === metadata.uid);
}

const boundByController = { 'pv.kubernetes.io/bound-by-controller': 'yes' };

async function bind(context: ActorContext, claim: StoredObject, volume: StoredObject): Promise<void> {
  const { client } = context;
  const { name, namespace, uid, resourceVersion } = claim.metadata;
  const [claimRef, volumeRef] = [{ namespace, name }, { name: volume.metadata.name }];
  await client.change(volumes, volumeRef, (draft) => {
    const reference = { kind: 'PersistentVolumeClaim', apiVersion: 'v1', namespace, name, uid, resourceVersion };
    ensureChild(draft, 'spec')['claimRef'] = reference;
    Object.assign(ensureChild(ensureChild(draft, 'metadata'), 'annotations'), boundByController);
  });
  await setVolumePhase(context, volume.metadata.name, 'Bound');
  await client.change(claims, claimRef, (draft) => {
    ensureChild(draft, 'spec')['volumeName'] = volume.metadata.name;
    const bound = { 'pv.kubernetes.io/bind-completed': 'yes', ...boundByController };
    Object.assign(ensureChild(ensureChild(draft, 'metadata'), 'annotations'), bound);
  });
  const status = {
    phase: 'Bound',
    accessModes: [...texts(child(volume, 'spec'), 'accessModes')],
    capacity: { ...at(volume, 'spec.capacity') },
  };
  await client.change(claims, claimRef, (draft) => void (draft['status'] = status), { subresource: 'status' });
}

async function syncVolume(context: ActorContext, name: string): Promise<undefined> {
  const volume = context.store.get(volumes, { name });
  if (volume === undefined) return;
  const owner = maybeChild(child(volume, 'spec'), 'claimRef');
  const claim = owner && context.store.get(claims, { namespace: text(owner, 'namespace'), name: text(owner, 'name') });
  const held = owner !== undefined && claim !== undefined && refersTo(owner, claim);
  if (volume.metadata.deletionTimestamp !== undefined) {
    if (!held) await dropFinalizer(context, volumes, volume, 'kubernetes.io/pv-protection');
    return;
  }
  const phase = text(child(volume, 'status'), 'phase');
  if (owner === undefined || text(owner, 'uid') === '') {
    if (phase === 'Pending') await setVolumePhase(context, name, 'Available');
    return;
  }
  if (held || phase !== 'Bound') return;
  await setVolumePhase(context, name, 'Released');
  const policy = text(child(volume, 'spec'), 'persistentVolumeReclaimPolicy');
  if (policy === 'Delete') await context.client.delete(volumes, { name }, { uid: volume.metadata.uid });
}

async function setVolumePhase({ client }: ActorContext, name: string, phase: string): Promise<void> {
  const set = (draft: Draft): void => void (ensureChild(draft, 'status')['phase'] = phase);
  await client.change(volumes, { name }, set, { subresource: 'status' });
}

async function dropFinalizer(
  { client }: ActorContext,
  resource: typeof claims,
  { metadata: { name, namespace } }: StoredObject,
  finalizer: string,
): Promise<void> {
  await client.change(resource, { namespace, name }, (draft) => {
    const metadata = ensureChild(draft, 'metadata');
    const finalizers = texts(metadata, 'finalizers');
    metadata['finalizers'] = finalizers.filter((found) => found !== finalizer);
    return finalizers.includes(finalizer);
  });
}
