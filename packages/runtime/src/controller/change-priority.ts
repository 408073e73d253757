import type { Change } from '../cache/informer.ts';
import type { KubeObject } from '../object.ts';
import type { Priority } from '../queue/work-queue.ts';

/**
 * What somebody asked for goes first: an object that was made, deleted or given another spec. What only reports
 * (a status, a label, a heartbeat) comes next, and what a list or a resync repeats comes last.
 */
export function toPriority(change: Change<KubeObject>): Priority {
  if (change.initial) return 'low';
  if (change.type !== 'updated') return 'high';
  const [meta, old] = [change.object.metadata, change.old.metadata];
  if (meta.resourceVersion !== undefined && meta.resourceVersion === old.resourceVersion) return 'low';
  // Kinds without a generation, as ConfigMap and Secret are, have nothing but what somebody wrote.
  return meta.generation === undefined || meta.generation !== old.generation ? 'high' : 'normal';
}
