// Sets of field paths in the very form of `fieldsV1`: a tree whose keys are path elements. A node that holds nothing
// is a member of the set; one with children is a member when it also holds `.`. Keeping the wire form means that what
// is stored needs no decoding, and that what did not change is shared.

/** A set, or the part of a set below one path element. Never changed once it is out of the function that built it. */
export type FieldSet = { readonly [element: string]: FieldSet };

export type FieldSetDraft = { [element: string]: FieldSet };

const self = '.';

/** The part below a member without children. */
export const leaf: FieldSet = Object.freeze({});

export function isEmptySet(set: FieldSet): boolean {
  for (const _ in set) return false;
  return true;
}

/** Whether the path that leads to this node is in the set. */
export function isMember(node: FieldSet): boolean {
  return self in node || isEmptySet(node);
}

/** The node for a path with these children. `undefined`: the path leads to nothing that is in the set. */
function toNode(member: boolean, children: FieldSet): FieldSet | undefined {
  if (isEmptySet(children)) return member ? leaf : undefined;
  return member ? { [self]: leaf, ...children } : children;
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a;
  if (isEmptySet(a)) return b;
  const result: FieldSetDraft = {};
  for (const key in a) result[key] = unionNode(a[key] ?? leaf, b[key]);
  for (const key in b) if (!(key in a)) result[key] = b[key] ?? leaf;
  return result;
}

function unionNode(a: FieldSet, b: FieldSet | undefined): FieldSet {
  if (b === undefined || a === b) return a;
  const member = isMember(a) || isMember(b);
  return toNode(member, union(childrenOf(a), childrenOf(b))) ?? leaf;
}

/** The node without its own membership. */
function childrenOf(node: FieldSet): FieldSet {
  if (!(self in node)) return node;
  const { [self]: _self, ...children } = node;
  return children;
}

/** What is in the first and not in the second. A parent in the second takes no child of the first away. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, false);
}

/** The same, but a parent in the second takes its children along. */
export function recursiveDifference(a: FieldSet, b: FieldSet): FieldSet {
  return subtract(a, b, true);
}

function subtract(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet {
  if (isEmptySet(a) || isEmptySet(b)) return a;
  let result: FieldSetDraft | undefined;
  for (const key in b) {
    const [left, right] = [a[key], b[key]];
    if (left === undefined || right === undefined) continue;
    const node = subtractNode(left, right, recursive);
    if (node === left) continue;
    result ??= { ...a };
    if (node === undefined) delete result[key];
    else result[key] = node;
  }
  return result ?? a;
}

function subtractNode(a: FieldSet, b: FieldSet, recursive: boolean): FieldSet | undefined {
  const taken = isMember(b);
  if (taken && recursive) return undefined;
  const below = childrenOf(a);
  const rest = subtract(below, childrenOf(b), recursive);
  const member = isMember(a);
  if (rest === below && !(taken && member)) return a;
  return toNode(member && !taken, rest);
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const result: FieldSetDraft = {};
  for (const key in a) {
    const [left, right] = [a[key], b[key]];
    if (left === undefined || right === undefined) continue;
    const below = intersection(childrenOf(left), childrenOf(right));
    const node = toNode(isMember(left) && isMember(right), below);
    if (node !== undefined) result[key] = node;
  }
  return result;
}

/** The part of the set below one path element. */
export function withPrefix(set: FieldSet, element: string): FieldSet {
  const node = set[element];
  return node === undefined ? leaf : childrenOf(node);
}

export function hasElement(set: FieldSet, element: string): boolean {
  const node = set[element];
  return node !== undefined && isMember(node);
}

export function hasPath(set: FieldSet, path: readonly string[]): boolean {
  let node = set;
  for (const element of path) {
    const next = node[element];
    if (next === undefined) return false;
    node = next;
  }
  return path.length > 0 && isMember(node);
}

/** Adds a path, and everything that is below its node, to a set under construction. */
export function insertAt(set: FieldSetDraft, path: readonly string[], node: FieldSet = leaf): void {
  const last = path.length - 1;
  if (last < 0) return;
  let at = set;
  for (let step = 0; step < last; step++) {
    const element = path[step] as string;
    const next = at[element];
    if (next === undefined) at = at[element] = {};
    // The leaf is shared, so it cannot take children.
    else if (isEmptySet(next)) at = at[element] = { [self]: leaf };
    else at = next;
  }
  const element = path[last] as string;
  const there = at[element];
  at[element] = there === undefined ? node : unionNode(there, node);
}

/** The set of these paths of field names. */
export function setOf(...paths: readonly (readonly string[])[]): FieldSet {
  const set: FieldSetDraft = {};
  for (const path of paths) {
    insertAt(
      set,
      path.map((name) => `f:${name}`),
    );
  }
  return set;
}

/** A node that is in the set itself and holds these children. */
export function memberWith(children: FieldSet): FieldSet {
  return toNode(true, children) ?? leaf;
}
