import { integerOf } from '../rpc/params.ts';
import type { Params } from '../rpc/params.ts';

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly page: { readonly TotalCount: number; readonly PageNumber: number; readonly PageSize: number };
};

export function pageOf<Item>(all: readonly Item[], params: Params, mostPerPage: number): Page<Item> {
  const size = integerOf(params, 'PageSize', [1, mostPerPage]) ?? 10;
  const number = integerOf(params, 'PageNumber', [1, 1_000_000]) ?? 1;
  const items = all.slice((number - 1) * size, number * size);
  return { items, page: { TotalCount: all.length, PageNumber: number, PageSize: size } };
}
