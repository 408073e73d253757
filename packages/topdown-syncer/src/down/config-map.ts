import type { ConfigMap } from '@tributary/runtime';
import { contentPatch } from './content-patch.ts';

/** `immutable` is not taken along: V refuses changes to it already, and an object made anew in V must get through. */
export function translateConfigMap({ data, binaryData }: ConfigMap): Pick<ConfigMap, 'data' | 'binaryData'> {
  return { ...(data && { data }), ...(binaryData && { binaryData }) };
}

export function planConfigMap(wanted: ConfigMap, actual: ConfigMap): Readonly<Record<string, unknown>> | undefined {
  return contentPatch(wanted, actual, ['data', 'binaryData']);
}
