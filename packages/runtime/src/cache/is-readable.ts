import type { KubeObject } from '../object.ts';

/** What came over the wire is an object that can be stored: it has a name and a version. */
export function isReadable(object: KubeObject | undefined): boolean {
  const metadata = object?.metadata;
  return (
    typeof metadata?.name === 'string' &&
    metadata.name !== '' &&
    typeof metadata.resourceVersion === 'string' &&
    metadata.resourceVersion !== ''
  );
}
