import { elementAt, itemElement } from './item-element.ts';
import type { JsonMap, ListForm, MapForm, MergeType } from './merge-type.ts';
import { asList, asMap, fieldType, formOf, untypedAtomic } from './merge-type.ts';

/**
 * The object with an applied configuration in it: nothing is taken away, and where both say something the
 * configuration counts. `undefined` stands for a value that is not there.
 */
export function mergeValues(live: unknown, config: unknown, type: MergeType): unknown {
  if (config === undefined) return live;
  const { map, list } = type;
  const form = formOf(type, config);
  if (form === 'map' && map !== undefined && !map.atomic) {
    const [left, right] = [asMap(live) ?? {}, asMap(config) ?? {}];
    if (Object.keys(left).length > 0 || Object.keys(right).length > 0) return mergeMaps(left, right, map);
  }
  if (form === 'list' && list !== undefined && !list.atomic) {
    const [left, right] = [asList(live) ?? [], asList(config) ?? []];
    if (left.length > 0 || right.length > 0) return mergeLists(left, right, list);
  }
  return config;
}

function mergeMaps(live: JsonMap, config: JsonMap, map: MapForm): JsonMap {
  const merged: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(live), ...Object.keys(config)])) {
    const value = mergeValues(live[name], config[name], fieldType(map, name) ?? untypedAtomic);
    if (value !== undefined) merged[name] = value;
  }
  return merged;
}

type Side = { readonly elements: readonly string[]; readonly values: ReadonlyMap<string, unknown> };

/**
 * Items keep their order where the configuration says nothing of it. Where it does, its order counts for the items
 * that it names, and the others stay before the item that they stood before.
 */
function mergeLists(live: readonly unknown[], config: readonly unknown[], list: ListForm): readonly unknown[] {
  const left = liveSide(live, list);
  const right = configSide(config, list);
  const shared = right.elements.filter((element) => left.values.has(element));
  const taken = new Set<string>();
  const merged: unknown[] = [];
  const take = (element: string): void => {
    taken.add(element);
    if (shared[0] === element) shared.shift();
    merged.push(mergeValues(left.values.get(element), right.values.get(element), list.element));
  };
  let [l, r] = [0, 0];
  while (l < left.elements.length || r < right.elements.length) {
    const ours = left.elements[l];
    const theirs = right.elements[r];
    if (ours !== undefined && ours === theirs) {
      take(ours);
      l++;
      r++;
    } else if (ours !== undefined && !right.values.has(ours)) {
      merged.push(live[l++]);
    } else if (ours !== undefined && theirs !== undefined && shared[0] !== undefined && shared[0] !== ours) {
      // Both have it, but its turn comes later.
      l++;
    } else {
      if (ours !== undefined && taken.has(ours)) l++;
      if (theirs !== undefined) take(theirs);
      r++;
    }
  }
  return merged;
}

/** Items that the object has twice are not merged with anything: a name says too little of them. */
function liveSide(items: readonly unknown[], list: ListForm): Side {
  const elements = items.map((item) => itemElement(list, item));
  const values = new Map<string, unknown>();
  for (const [index, element] of elements.entries()) values.set(element, values.has(element) ? null : items[index]);
  return { elements, values };
}

function configSide(items: readonly unknown[], list: ListForm): Side {
  const elements = items.map((item, index) => elementAt(list, item, index));
  return { elements, values: new Map(elements.map((element, index) => [element, items[index]])) };
}
