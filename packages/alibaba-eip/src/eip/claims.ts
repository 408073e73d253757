import { keyOf } from '@tributary/runtime';
import { idOf } from './eip-world.ts';
import { memoryOf } from './memory.ts';
import type { EipObject } from './resource.ts';

/**
 * To which other object an address belongs, if not to this one. Who has it keeps it; of those who only ask, the oldest
 * gets it.
 */
export function holderOf(object: EipObject, claimants: readonly EipObject[]): string | undefined {
  const id = idOf(object);
  const others = claimants.filter((other) => other.metadata.uid !== object.metadata.uid && idOf(other) === id);
  const rival = others.find((other) => ranksBefore(other, object));
  return id === undefined || !rival ? undefined : keyOf(rival);
}

function ranksBefore(left: EipObject, right: EipObject): boolean {
  const [a, b] = [rankOf(left), rankOf(right)];
  const index = a.findIndex((part, at) => part !== b[at]);
  return index >= 0 && (a[index] ?? '') < (b[index] ?? '');
}

function rankOf(object: EipObject): readonly string[] {
  const { creationTimestamp = '', uid = '' } = object.metadata;
  return [memoryOf(object)?.allocationID ? '0' : '1', creationTimestamp, uid];
}
