import { getCondition } from '@tributary/runtime';
import type { EipObject } from '../eip/resource.ts';

/** `True/Available`, or nothing. */
export function says({ status }: EipObject, type: 'Ready' | 'Synced' | 'Progressing'): string | undefined {
  const condition = getCondition(status?.conditions, type);
  return condition && `${condition.status}/${condition.reason}`;
}

export function messageOf({ status }: EipObject, type = 'Ready'): string {
  return getCondition(status?.conditions, type)?.message ?? '';
}

export function isReady(object: EipObject): boolean {
  return says(object, 'Ready') === 'True/Available' && says(object, 'Synced') === 'True/Synced';
}
