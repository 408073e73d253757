import type { EipStep } from './eip-step.ts';
import { without } from './eip-world.ts';
import type { EipWorld } from './eip-world.ts';
import type { EipMemory } from './memory.ts';
import type { ObservedEip } from './observed-eip.ts';
import { ownerTags } from './owner-tags.ts';

/**
 * Tags of the spec are kept as they are there, and so is the mark of an address that we allocated. A tag that the spec
 * named once and names no longer is taken away; which those are is remembered before they are set. Other tags are
 * none of our business.
 */
export function planTags(
  { object, settings }: EipWorld,
  { id, tags: seen }: ObservedEip,
  memory: EipMemory,
): readonly EipStep[] {
  const wanted = object.spec.tags ?? {};
  const mark = memory.ownership === 'created' ? ownerTags(settings.clusterId, object) : {};
  const missing = Object.fromEntries(
    Object.entries({ ...wanted, ...mark }).filter(([key, value]) => seen[key] !== value),
  );
  const known = memory.tagKeys ?? [];
  const stale = known.filter((key) => !(key in wanted) && !(key in mark) && key in seen);
  const toNote = Object.keys(missing).filter((key) => !(key in mark) && !known.includes(key));
  const forgotten = known.filter((key) => !(key in wanted) && !(key in seen));

  const steps: EipStep[] = [];
  if (toNote.length > 0 || forgotten.length > 0) {
    const keys = [...known.filter((key) => !forgotten.includes(key)), ...toNote];
    const memorised = keys.length > 0 ? { ...memory, tagKeys: keys } : without(memory, 'tagKeys');
    steps.push({ do: 'remember', memory: memorised });
  }
  if (stale.length > 0) steps.push({ do: 'untag', id, keys: stale });
  if (Object.keys(missing).length > 0) steps.push({ do: 'tag', id, tags: missing });
  return steps;
}
