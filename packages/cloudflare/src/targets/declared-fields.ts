import { canonicalJson } from '@tributary/runtime';
import type { WireFields } from './compare-fields.ts';

/**
 * For objects that the API fills up with values of its own: only what we say is compared, and what we once said and do
 * not say any more is remembered by its path, so that it is taken back. Paths go down objects, not into lists.
 */
export function declaredPaths(body: WireFields): readonly string[] {
  return Object.entries(body).flatMap(([name, value]) =>
    isObject(value) ? declaredPaths(value).map((path) => `${name}.${path}`) : [name],
  );
}

export type DeclaredComparison = {
  /** Lists whose order means nothing, by their paths. */
  readonly sets?: ReadonlySet<string>;
  /** Paths that are never shown, or that are Cloudflare's to say. */
  readonly silent?: ReadonlySet<string>;
  readonly canonical?: (path: string, value: unknown) => unknown;
};

/** The paths in which an object is not as declared, and those that were declared before and are not now. */
export function differingPaths(
  wanted: WireFields,
  observed: WireFields,
  before: readonly string[],
  { sets, silent, canonical = (_path, value) => value }: DeclaredComparison = {},
): readonly string[] {
  const declared = declaredPaths(wanted);
  const changed = declared
    .filter((path) => !silent?.has(path))
    .filter((path) => {
      const [mine, theirs] = [wanted, observed].map((body) => canonical(path, at(body, path)));
      return sets?.has(path) ? !isSameSet(mine, theirs) : !holds(mine, theirs);
    });
  return [...changed, ...before.filter((path) => !declared.includes(path))];
}

function at(body: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (isObject(value) ? value[name] : undefined), body);
}

/** Whether what is there says all that is wanted; it may say more. */
function holds(wanted: unknown, observed: unknown): boolean {
  if (isNothing(wanted)) return isNothing(observed);
  if (Array.isArray(wanted)) {
    return (
      Array.isArray(observed) &&
      wanted.length === observed.length &&
      wanted.every((item, index) => holds(item, observed[index]))
    );
  }
  if (!isObject(wanted)) return wanted === observed;
  return isObject(observed) && Object.entries(wanted).every(([name, value]) => holds(value, observed[name]));
}

function isSameSet(wanted: unknown, observed: unknown): boolean {
  if (isNothing(wanted) || isNothing(observed)) return isNothing(wanted) && isNothing(observed);
  const theirs = [...(observed as readonly unknown[])];
  const mine = new Map((wanted as readonly unknown[]).map((item) => [canonicalJson(item as never), item]));
  if (mine.size !== new Set(theirs.map((item) => canonicalJson(item as never))).size) return false;
  return [...mine.values()].every((item) => theirs.some((other) => holds(item, other)));
}

/** False, empty and absent: the API leaves them out as it likes. */
function isNothing(value: unknown): boolean {
  return value === undefined || value === null || value === false || value === '' || isEmptyList(value);
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isObject(value: unknown): value is WireFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
