import type { Change } from '../cache/informer.ts';
import type { AnyObject, KubeObject, ObjectMeta } from '../object.ts';

/** Says whether a change matters. `change.object` is the new state (of a deleted object the last), `change.old` the one before. */
export type Predicate<T extends KubeObject = AnyObject> = (change: Change<T>) => boolean;

/**
 * The predicates below look at updates alone: an object that appears or goes away always matters. They take any
 * kind, so that they can be put together with predicates of one kind.
 */
type AnyPredicate = (change: Change<KubeObject>) => boolean;

/** The spec changed, or deletion began. Useless for kinds without a generation, as ConfigMap and Secret are. */
export const generationChanged: AnyPredicate = updated((meta, old) => meta.generation !== old.generation);

export const labelsChanged: AnyPredicate = updated((meta, old) => !isSameRecord(meta.labels, old.labels));

export const annotationsChanged: AnyPredicate = updated(
  (meta, old) => !isSameRecord(meta.annotations, old.annotations),
);

/** Somebody asked for the object to be deleted, and its finalizers keep it. */
export const deletionStarted: AnyPredicate = updated(
  (meta, old) => meta.deletionTimestamp !== undefined && old.deletionTimestamp === undefined,
);

export function any<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => predicate(change));
}

export function all<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.every((predicate) => predicate(change));
}

function updated(matters: (meta: ObjectMeta, old: ObjectMeta) => boolean): AnyPredicate {
  return (change) => change.type !== 'updated' || matters(change.object.metadata, change.old.metadata);
}

function isSameRecord(
  left: Readonly<Record<string, string>> = {},
  right: Readonly<Record<string, string>> = {},
): boolean {
  const keys = Object.keys(left);
  return keys.length === Object.keys(right).length && keys.every((key) => left[key] === right[key]);
}
