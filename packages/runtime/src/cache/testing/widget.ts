import { defineKind } from '../../kind.ts';
import type { AnyObject, ObjectMeta } from '../../object.ts';
import type { Change } from '../informer.ts';

/** A kind for tests. */
export const widgetKind = defineKind({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
});

export function widget(
  name: string,
  resourceVersion: string,
  more: Partial<ObjectMeta> & { readonly spec?: unknown } = {},
): AnyObject {
  const { spec, ...metadata } = more;
  return {
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion, ...metadata },
    spec,
  };
}

/** A change in one line: `updated a 1>2`, with `initial` at the end where it is. */
export function tellChange(change: Change): string {
  const { type, object, old, initial } = change;
  const versions = `${old?.metadata.resourceVersion ?? '-'}>${object.metadata.resourceVersion ?? '-'}`;
  return `${type} ${object.metadata.name ?? ''} ${versions}${initial ? ' initial' : ''}`;
}
