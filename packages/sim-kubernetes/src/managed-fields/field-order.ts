import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { isEmptySet, isMember } from './field-set.ts';
import { compareElements } from './path-element.ts';

/** The set with the elements of every level in order; the same one when they are already. */
export function inOrder(set: FieldSet): FieldSet {
  let sorted = true;
  let result: FieldSetDraft | undefined;
  let previous = '.';
  for (const element in set) {
    // Nearly all are names of fields, which compare as they stand.
    sorted &&=
      previous.startsWith('f:') && element.startsWith('f:')
        ? previous < element
        : compareElements(previous, element) <= 0;
    previous = element;
    const node = set[element] as FieldSet;
    if (isEmptySet(node)) continue;
    const ordered = inOrder(node);
    if (ordered === node) continue;
    result ??= { ...set };
    result[element] = ordered;
  }
  if (sorted) return result ?? set;
  const from = result ?? set;
  const moved: FieldSetDraft = {};
  for (const element of Object.keys(from).toSorted(compareElements)) moved[element] = from[element] as FieldSet;
  return moved;
}

/** Every path of the set: at each level first its members, then what is below. */
export function pathsOf(set: FieldSet, prefix: readonly string[] = []): readonly (readonly string[])[] {
  const elements = Object.keys(set)
    .filter((element) => element !== '.')
    .toSorted(compareElements);
  const own = elements.filter((element) => isMember(set[element] as FieldSet)).map((element) => [...prefix, element]);
  return [...own, ...elements.flatMap((element) => pathsOf(set[element] as FieldSet, [...prefix, element]))];
}
