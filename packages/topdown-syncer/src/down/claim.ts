import type { Result } from '@tributary/runtime';
import type { PersistentVolumeClaim } from '../contract/cluster-kinds.ts';
import type { PhysicalName } from '../contract/names.ts';

/** Only what V has bound can be bound in P: to the copy of the same volume. */
export function isBoundClaim({ spec, status, metadata }: PersistentVolumeClaim): Result<string> {
  const name = metadata.name ?? '';
  if (status?.phase !== 'Bound')
    return { ok: false, reason: 'NotReady', message: `PersistentVolumeClaim ${name} is not bound` };
  if (!spec?.volumeName) {
    return { ok: false, reason: 'NotReady', message: `PersistentVolumeClaim ${name} is bound to no volume` };
  }
  return { ok: true, value: spec.volumeName };
}

export function translateClaim(
  { spec = {} }: PersistentVolumeClaim,
  physicalName: PhysicalName,
): Pick<PersistentVolumeClaim, 'spec'> {
  const { storageClassName: _, volumeName = '', dataSource: _source, dataSourceRef: _ref, ...rest } = spec;
  // Empty, not absent: P's default class must not be filled in.
  return { spec: { ...rest, storageClassName: '', volumeName: physicalName({ name: volumeName }) } };
}
