import type { Environment } from '@marcbachmann/cel-js';
import { registerNamespace } from './cel-namespace.ts';
import { equalCel } from './equal-cel.ts';

/** Kubernetes' list functions, cel-go's lists and sets extensions. */
export function registerLists(environment: Environment): void {
  environment
    .registerFunction('list.isSorted(): bool', (list: readonly unknown[]) =>
      list.every((item, index) => index === 0 || compare(list[index - 1], item) <= 0),
    )
    .registerFunction('list.sum(): dyn', sum)
    .registerFunction('list.min(): dyn', (list: readonly unknown[]) => extreme(list, 'min', -1))
    .registerFunction('list.max(): dyn', (list: readonly unknown[]) => extreme(list, 'max', 1))
    .registerFunction('list.indexO_(dyn): int', (list: readonly unknown[], wanted: unknown) =>
      BigInt(list.findIndex((item) => equalCel(item, wanted))),
    )
    .registerFunction('list.lastIndexO_(dyn): int', (list: readonly unknown[], wanted: unknown) =>
      BigInt(list.findLastIndex((item) => equalCel(item, wanted))),
    )
    .registerFunction('list<A>.slice(int, int): list<A>', slice)
    .registerFunction('list<A>.distinct(): list<A>', distinct)
    .registerFunction('list<A>.sort(): list<A>', (list: readonly unknown[]) => list.toSorted(compare))
    .registerFunction('list<A>.reverse(): list<A>', (list: readonly unknown[]) => list.toReversed())
    .registerFunction('list.flatten(): list<dyn>', (list: readonly unknown[]) => list.flat())
    .registerFunction('list.flatten(int): list<dyn>', (list: readonly unknown[], depth: bigint) =>
      list.flat(Number(depth)),
    );
  registerNamespace(environment, 'lists', 'ListsNamespace').registerFunction(
    'ListsNamespace.range(int): list<int>',
    (_: object, size: bigint) => Array.from({ length: Number(size) }, (_item, index) => BigInt(index)),
  );
  registerSets(environment);
}

function registerSets(environment: Environment): void {
  registerNamespace(environment, 'sets', 'SetsNamespace')
    .registerFunction(
      'SetsNamespace.contains(list, list): bool',
      (_: object, list: readonly unknown[], part: readonly unknown[]) => covers(list, part),
    )
    .registerFunction(
      'SetsNamespace.equivalent(list, list): bool',
      (_: object, a: readonly unknown[], b: readonly unknown[]) => covers(a, b) && covers(b, a),
    )
    .registerFunction(
      'SetsNamespace.intersects(list, list): bool',
      (_: object, a: readonly unknown[], b: readonly unknown[]) => a.some((item) => holds(b, item)),
    );
}

function holds(list: readonly unknown[], wanted: unknown): boolean {
  return list.some((item) => equalCel(item, wanted));
}

function covers(list: readonly unknown[], part: readonly unknown[]): boolean {
  return part.every((item) => holds(list, item));
}

function compare(a: unknown, b: unknown): number {
  if (equalCel(a, b)) return 0;
  return (a as number) < (b as number) ? -1 : 1;
}

type Addable = { readonly addDuration?: (other: unknown) => unknown };

function sum(list: readonly unknown[]): unknown {
  if (list.length === 0) return 0n;
  return list.reduce((total, item) => {
    const adder = (total as Addable).addDuration;
    return adder ? adder.call(total, item) : (total as number) + (item as number);
  });
}

function extreme(list: readonly unknown[], name: string, sign: number): unknown {
  if (list.length === 0) throw new Error(`${name} called on empty list`);
  return list.reduce((best, item) => (compare(item, best) * sign > 0 ? item : best));
}

function slice(list: readonly unknown[], from: bigint, to: bigint): readonly unknown[] {
  if (from < 0n || to < 0n) throw new Error(`cannot slice(${from}, ${to}), negative indexes not supported`);
  if (from > to) throw new Error(`cannot slice(${from}, ${to}), start index must be less than or equal to end index`);
  if (Number(to) > list.length) throw new Error(`cannot slice(${from}, ${to}), list is length ${list.length}`);
  return list.slice(Number(from), Number(to));
}

function distinct(list: readonly unknown[]): readonly unknown[] {
  return list.filter((item, index) => list.findIndex((other) => equalCel(other, item)) === index);
}
