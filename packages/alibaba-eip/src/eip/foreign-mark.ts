import type { EipWorld } from './eip-world.ts';
import type { ObservedEip } from './observed-eip.ts';
import { clusterTag, objectTag, uidTag } from './owner-tags.ts';

/**
 * In words, whose mark an address carries if it is another's. The mark of an object of this cluster that is gone binds
 * nobody: the address was kept on purpose, or it is an orphan.
 */
export function foreignMark(
  { object, settings, isAlive }: Pick<EipWorld, 'object' | 'settings' | 'isAlive'>,
  { tags }: ObservedEip,
): string | undefined {
  const uid = tags[uidTag];
  if (uid === undefined || uid === object.metadata.uid) return undefined;
  const isOurCluster = tags[clusterTag] === settings.clusterId;
  if (isOurCluster && !isAlive(uid)) return undefined;
  const where = isOurCluster ? 'this cluster' : `cluster ${tags[clusterTag] ?? 'unknown'}`;
  return `marked as the address of ${tags[objectTag] ?? uid} of ${where}; if that is wrong, take the tag ${uidTag} off it`;
}
