import { ApiError } from '../registry/api-error.ts';
import { equalValues } from '../schema/correlation.ts';
import { goValue } from './go-value.ts';
import { isRecord } from '../schema/schema-walk.ts';

export type MergeItems = (
  before: { [key: string]: unknown },
  change: { [key: string]: unknown },
) => { [key: string]: unknown };

/** Merges two lists: objects by the value of their key, plain values as a set. */
export function mergeLists(
  before: readonly unknown[],
  changes: readonly unknown[],
  key: string | undefined,
  mergeItems: MergeItems,
): unknown[] {
  if (before.length === 0 && changes.length === 0) return [];
  const sample = before[0] ?? changes[0];
  if (!isRecord(sample)) {
    const all = [...before, ...changes];
    const merged = all.filter((item, index) => all.findIndex((other) => equalValues(other, item)) === index);
    return orderList(merged, changes, before, undefined);
  }
  if (key === undefined) throw failed('cannot merge lists without merge key');
  const { start, plain } = applySpecial(before, changes as readonly { [key: string]: unknown }[], key);
  const merged = [...start];
  for (const change of plain) {
    if (!Object.hasOwn(change, key)) throw noKey(change, key);
    const at = merged.findIndex((item) => isRecord(item) && equalValues(item[key], change[key]));
    if (at === -1) merged.push(change);
    else merged[at] = mergeItems(merged[at] as { [key: string]: unknown }, change);
  }
  return orderList(merged, plain, start, key);
}

/** Items that say `$patch: delete` or `$patch: replace` act on the list and do not stay in it. */
function applySpecial(
  before: readonly unknown[],
  changes: readonly { [key: string]: unknown }[],
  key: string,
): { readonly start: readonly unknown[]; readonly plain: readonly { [key: string]: unknown }[] } {
  let start = before;
  let replaced = false;
  const plain = changes.filter((change) => {
    const wanted = change['$patch'];
    if (wanted === undefined) return true;
    if (wanted === 'replace') replaced = true;
    else if (wanted === 'merge') throw failed('merging lists cannot yet be specified in the patch');
    else if (wanted !== 'delete') throw failed(`unknown patch type: ${goValue(wanted)} in map: ${goValue(change)}`);
    else if (!Object.hasOwn(change, key)) throw noKey(change, key);
    else start = start.filter((item) => !(isRecord(item) && equalValues(item[key], change[key])));
    return false;
  });
  return replaced ? { start: plain, plain: [] } : { start, plain };
}

/** Every item that a patch changes must stand in the order that it gives, and in that order. */
export function checkOrder(changes: readonly unknown[], order: readonly unknown[], key: string | undefined): void {
  if (changes.length === 0 || order.length === 0) return;
  const plain = changes.filter((change) => !(isRecord(change) && Object.hasOwn(change, '$patch')));
  let at = 0;
  for (const item of order) {
    const change = plain[at];
    const isSame =
      key === undefined
        ? equalValues(change, item)
        : isRecord(change) && isRecord(item) && equalValues(change[key], item[key]);
    if (isSame) at += 1;
  }
  if (at >= plain.length) return;
  throw failed(
    `The order in patch list:\n${goValue(changes)}\n doesn't match $setElementOrder list:\n${goValue(order)}\n`,
  );
}

export function deleteFromList(before: readonly unknown[], gone: readonly unknown[]): unknown[] {
  return before.filter((item) => !gone.some((other) => equalValues(item, other)));
}

/**
 * Items of the patch in its own order; the others stay before those that they preceded on the server.
 */
export function orderList(
  merged: readonly unknown[],
  order: readonly unknown[],
  server: readonly unknown[],
  key: string | undefined,
): unknown[] {
  const same = (a: unknown, b: unknown): boolean =>
    key === undefined ? equalValues(a, b) : isRecord(a) && isRecord(b) && equalValues(a[key], b[key]);
  const rank = (list: readonly unknown[], item: unknown): number => list.findIndex((other) => same(other, item));
  const byRank = (list: readonly unknown[], items: readonly unknown[]): unknown[] =>
    items.toSorted((a, b) => rank(list, a) - rank(list, b));
  const fromPatch = byRank(
    order,
    merged.filter((item) => rank(order, item) !== -1),
  );
  const others = byRank(
    server,
    merged.filter((item) => rank(order, item) === -1),
  );
  const out: unknown[] = [];
  while (fromPatch.length > 0 || others.length > 0) {
    const left = rank(server, others[0]);
    const right = rank(server, fromPatch[0]);
    const takeOther = fromPatch.length === 0 || (others.length > 0 && left !== -1 && right !== -1 && left < right);
    out.push(takeOther ? others.shift() : fromPatch.shift());
  }
  return out;
}

function noKey(item: { readonly [key: string]: unknown }, key: string): ApiError {
  return failed(`map: ${goValue(item)} does not contain declared merge key: ${key}`);
}

/** The server has no better answer to these than an internal error. */
function failed(message: string): ApiError {
  return new ApiError(500, '', message);
}
