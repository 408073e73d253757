import type { KubeObject } from '@tributary/runtime';

/** The one that was made first; of equals, the first by name. What somebody has asked to delete does not count. */
export function oldest<T extends KubeObject>(objects: readonly T[]): T | undefined {
  return objects.filter(({ metadata }) => !metadata.deletionTimestamp).toSorted(byAge)[0];
}

function byAge({ metadata: a }: KubeObject, { metadata: b }: KubeObject): number {
  return compare(a.creationTimestamp ?? '', b.creationTimestamp ?? '') || compare(a.name ?? '', b.name ?? '');
}

function compare(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
