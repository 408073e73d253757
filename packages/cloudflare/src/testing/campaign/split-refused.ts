import type { Property } from './properties.ts';

/**
 * What was refused together, in two parts that are tried without each other. The part that is blamed is as large as it can be,
 * and halves do not cut through a field where they can go between two: what is in one field may need what stands beside it.
 */
export function splitRefused(refused: readonly Property[], reason: string): readonly (readonly Property[])[] {
  const blamed = blamedIn(reason);
  for (let depth = 1; depth <= deepest; depth += 1) {
    const groups = [...Map.groupBy(refused, ({ path }) => upTo(path, depth).join('.')).values()];
    if (groups.length === 1) continue;
    const at = groups.findIndex(([one]) => isAt(one, blamed, depth));
    return at < 0 ? halves(groups) : [groups.toSpliced(at, 1).flat(), groups[at] ?? []];
  }
  return [];
}

const deepest = 12;

function halves(groups: readonly (readonly Property[])[]): readonly (readonly Property[])[] {
  const middle = Math.ceil(groups.length / 2);
  return [groups.slice(0, middle).flat(), groups.slice(middle).flat()];
}

/** The names of the field that a reason begins with: `spec.rules[0].name: …` is about `rules`, `name`. */
export function blamedIn(reason: string): readonly string[] {
  const path = /^spec\.([^:, ]+)/.exec(reason)?.[1] ?? '';
  return path === '' ? [] : path.replaceAll(/\[\d+\]/g, '').split('.');
}

/** Whether a property is within as much of the field as so many names tell. */
function isAt(property: Property | undefined, names: readonly string[], depth: number): boolean {
  const own = namesIn(property?.path ?? []);
  return names.length >= depth && names.slice(0, depth).every((name, index) => name === own[index]);
}

/** The names in a path, without the places in lists and maps. */
export function namesIn(path: readonly string[]): readonly string[] {
  return path.filter((step) => step !== '[]' && step !== '{}');
}

/** The path as far as its n-th name. */
function upTo(path: readonly string[], names: number): readonly string[] {
  const wanted = namesIn(path).slice(0, names).length;
  return path.filter((_step, index) => namesIn(path.slice(0, index)).length < wanted);
}
