import type { KubeObject } from '@tributary/runtime';
import { annotations, labels } from '../contract/keys.ts';

/** Which physical node a virtual one stands for. The annotation has the whole name; a label may be cut. */
export function physicalNodeOf({ metadata }: KubeObject): string {
  return metadata.annotations?.[annotations.physicalNodeName] || (metadata.labels?.[labels.physicalNodeName] ?? '');
}
