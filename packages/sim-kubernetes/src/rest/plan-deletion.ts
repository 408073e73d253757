import type { StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { DeleteOptions } from './delete-options.ts';
import { toTimestamp } from './hook-context.ts';

export type DeletionMarks = {
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly generation?: number;
  readonly finalizers: readonly string[];
};

/**
 * `pending`: a deletion with at least as short a grace period is under way. `mark`: write the marks and wait for
 * finalizers or grace. `mark-and-remove`: the marks are seen by watchers before the object goes. `remove`: at once.
 */
export type DeletionPlan =
  | { readonly kind: 'pending' }
  | { readonly kind: 'remove' }
  | { readonly kind: 'mark' | 'mark-and-remove'; readonly metadata: DeletionMarks };

type Grace =
  | { readonly kind: 'none' }
  | { readonly kind: 'pending' }
  | {
      readonly kind: 'graceful';
      readonly seconds: number;
      readonly deletionTimestamp: string;
      readonly first: boolean;
    };

export function planDeletion(
  type: ResourceType,
  stored: StoredObject,
  options: DeleteOptions,
  nowMs: number,
): DeletionPlan {
  const { metadata } = stored;
  const grace = graceOf(type, stored, options, nowMs);
  if (grace.kind === 'pending') return grace;
  const before = metadata.finalizers ?? [];
  const finalizers = finalizersFor(type, before, options);
  const finalizing = finalizers.length > 0 || isHeld(type, stored);
  const generation =
    metadata.deletionTimestamp === undefined && (metadata.generation ?? 0) > 0
      ? { generation: (metadata.generation ?? 0) + 1 }
      : {};
  if (grace.kind === 'graceful') {
    const marks = {
      deletionTimestamp: grace.deletionTimestamp,
      deletionGracePeriodSeconds: grace.seconds,
      ...(grace.first ? generation : {}),
      finalizers,
    };
    return { kind: finalizing || grace.seconds > 0 ? 'mark' : 'mark-and-remove', metadata: marks };
  }
  if (!finalizing) return { kind: 'remove' };
  const now = toTimestamp(nowMs);
  const at = metadata.deletionTimestamp;
  const deletionTimestamp = at === undefined || Date.parse(at) > nowMs ? now : at;
  const noGrace = type.strategy.marksFirst ? {} : { deletionGracePeriodSeconds: 0 };
  const marks = { deletionTimestamp, ...noGrace, ...generation, finalizers };
  const sameGrace = metadata.deletionGracePeriodSeconds === noGrace.deletionGracePeriodSeconds;
  if (at === deletionTimestamp && sameGrace && sameSet(before, finalizers)) {
    return { kind: 'pending' };
  }
  return { kind: 'mark', metadata: marks };
}

function isHeld({ strategy }: ResourceType, stored: StoredObject): boolean {
  if (strategy.marksFirst && stored.metadata.deletionTimestamp === undefined) return true;
  return strategy.heldFromRemoval?.(stored) ?? false;
}

function graceOf(type: ResourceType, stored: StoredObject, options: DeleteOptions, nowMs: number): Grace {
  const hook = type.strategy.gracePeriodSeconds;
  if (hook === undefined) return { kind: 'none' };
  const { deletionTimestamp, deletionGracePeriodSeconds } = stored.metadata;
  const asked = options.gracePeriodSeconds;
  // Less than nothing has always meant "as soon as possible, but gracefully".
  const wanted = asked !== undefined && asked < 0 ? 1 : asked;
  if (deletionTimestamp === undefined) {
    const seconds = hook(stored, wanted);
    return { kind: 'graceful', seconds, deletionTimestamp: toTimestamp(nowMs + seconds * 1000), first: true };
  }
  const current = deletionGracePeriodSeconds ?? 0;
  if (current === 0) return { kind: 'none' };
  if (wanted === undefined || wanted >= current) return { kind: 'pending' };
  const moved = Date.parse(deletionTimestamp) - (current - wanted) * 1000;
  const late = moved < nowMs;
  const seconds = late && wanted !== 0 ? 1 : wanted;
  return { kind: 'graceful', seconds, deletionTimestamp: toTimestamp(late ? nowMs : moved), first: false };
}

/** Orphaning and foreground deletion are finalizers that the garbage collector takes away when it is done. */
function finalizersFor(type: ResourceType, before: readonly string[], options: DeleteOptions): readonly string[] {
  if (type.strategy.ignoresPropagation) return before;
  const others = before.filter((name) => name !== 'orphan' && name !== 'foregroundDeletion');
  switch (policyOf(type, before, options)) {
    case 'Orphan':
      return [...others, 'orphan'];
    case 'Foreground':
      return [...others, 'foregroundDeletion'];
    default:
      return others;
  }
}

function policyOf(type: ResourceType, before: readonly string[], options: DeleteOptions): string {
  if (options.orphanDependents !== undefined) return options.orphanDependents ? 'Orphan' : 'Background';
  if (options.propagationPolicy !== undefined) return options.propagationPolicy;
  if (before.includes('orphan')) return 'Orphan';
  if (before.includes('foregroundDeletion')) return 'Foreground';
  return type.strategy.defaultPropagation ?? 'Background';
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((name) => b.includes(name));
}
