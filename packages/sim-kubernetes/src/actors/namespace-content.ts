import type { ActorContext } from '../registry/actor.ts';
import type { StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';

/** What is left of one resource in a namespace. */
export type Remaining = { readonly type: ResourceType; readonly objects: readonly StoredObject[] };

/** Every resource whose objects live in this namespace, each once though it may have several versions. */
export function contentOf(
  { registry, store }: Pick<ActorContext, 'registry' | 'store'>,
  namespace: string,
): readonly Remaining[] {
  const seen = new Set<string>();
  const found: Remaining[] = [];
  for (const type of registry.all()) {
    const { group, plural } = type.storedIn ?? type;
    const key = `${group}/${plural}`;
    if (!type.namespaced || seen.has(key)) continue;
    seen.add(key);
    const objects = store.list({ group, plural }, namespace);
    if (objects.length > 0) found.push({ type: registry.storageType(group, plural) ?? type, objects });
  }
  return found;
}

export type NamespaceCondition = {
  readonly type: string;
  readonly status: 'True' | 'False';
  readonly reason: string;
  readonly message: string;
};

function passed(type: string, reason: string, message: string): NamespaceCondition {
  return { type: `Namespace${type}`, status: 'False', reason, message };
}

/** The five conditions of a namespace on its way out, in the words of the real controller. */
export function namespaceConditions(remaining: readonly Remaining[]): readonly NamespaceCondition[] {
  return [
    passed('DeletionDiscoveryFailure', 'ResourcesDiscovered', 'All resources successfully discovered'),
    passed('DeletionGroupVersionParsingFailure', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'),
    passed(
      'DeletionContentFailure',
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    remainingCondition(remaining) ?? passed('ContentRemaining', 'ContentRemoved', 'All content successfully removed'),
    finalizersCondition(remaining) ??
      passed('FinalizersRemaining', 'ContentHasNoFinalizers', 'All content-preserving finalizers finished'),
  ];
}

function remainingCondition(remaining: readonly Remaining[]): NamespaceCondition | undefined {
  const parts = remaining
    .map(({ type, objects }) => `${type.plural}.${type.group} has ${objects.length} resource instances`)
    .toSorted();
  if (parts.length === 0) return undefined;
  const message = `Some resources are remaining: ${parts.join(', ')}`;
  return { type: 'NamespaceContentRemaining', status: 'True', reason: 'SomeResourcesRemain', message };
}

function finalizersCondition(remaining: readonly Remaining[]): NamespaceCondition | undefined {
  const counts = new Map<string, number>();
  for (const { metadata } of remaining.flatMap(({ objects }) => objects)) {
    for (const name of metadata.finalizers ?? []) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  if (counts.size === 0) return undefined;
  const parts = [...counts].map(([name, count]) => `${name} in ${count} resource instances`).toSorted();
  const message = `Some content in the namespace has finalizers remaining: ${parts.join(', ')}`;
  return { type: 'NamespaceFinalizersRemaining', status: 'True', reason: 'SomeFinalizersRemain', message };
}
