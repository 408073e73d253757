import { isDeepStrictEqual } from 'node:util';
import { hasFinalizer, keyOf, watch } from '@tributary/runtime';
import type { Change, Informer } from '@tributary/runtime';
import type { EipObserver } from '../provider/observer.ts';
import { idOf } from './eip-world.ts';
import { finalizer, memoryAnnotation, memoryOf } from './memory.ts';
import { byAllocationId } from './reconcile-eip.ts';
import { eipKind } from './resource.ts';
import type { EipObject } from './resource.ts';

type Watch = ReturnType<typeof watch>;

/** What asks for a reconcile: a person's change, an address that changed, a holder that went away. */
export function eipWatches(informer: Informer<EipObject>, observer: Pick<EipObserver, 'onChange'>): readonly Watch[] {
  const keysOf = (id: string): readonly string[] => informer.byIndex(byAllocationId, id).map(keyOf);
  return [
    watch(eipKind, { when: matters }),
    watch(eipKind, {
      when: ({ type }) => type === 'deleted',
      toKeys: (object) => keysOf(idOf(object) ?? ''),
    }),
    {
      id: 'observer',
      primary: false,
      cache: undefined,
      open: () => ({
        hasSynced: () => true,
        caughtUp: async () => undefined,
        onKey: (enqueue) =>
          observer.onChange((id) => {
            for (const key of keysOf(id)) enqueue(key, 'low');
          }),
      }),
    },
  ];
}

/** Our own notes in the object are no news: otherwise a failed attempt would wake itself at once. */
export function matters(change: Change<EipObject>): boolean {
  if (change.type !== 'updated') return true;
  const { object, old } = change;
  return (isHeld(old) && !isHeld(object)) || !isDeepStrictEqual(othersPart(object), othersPart(old));
}

function isHeld(object: EipObject): boolean {
  return hasFinalizer(object, finalizer) && object.metadata.annotations?.[memoryAnnotation] !== undefined;
}

/** What others write: the spec but for an id that we wrote into it, and the annotations but for ours. */
function othersPart(object: EipObject): unknown {
  const { deletionTimestamp, annotations = {} } = object.metadata;
  const { allocationID = '', ...spec } = object.spec;
  const isOurs = allocationID === memoryOf(object)?.allocationID;
  const others = Object.fromEntries(Object.entries(annotations).filter(([key]) => key !== memoryAnnotation));
  return { spec, allocationID: isOurs ? '' : allocationID, deletionTimestamp, others };
}
