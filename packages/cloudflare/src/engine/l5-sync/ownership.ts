import { canonicalJson } from '@tributary/runtime';
import { isMarkOf, readMark, withoutMark } from '../l4-state/ownership-mark.ts';
import type { Mark } from '../l4-state/ownership-mark.ts';
import { sourceId } from '../l4-state/source.ts';
import type { SourceRef } from '../l4-state/source.ts';

/** Whose a remote object is, as far as its mark tells. */
export type Ownership =
  | { readonly kind: 'ours' }
  | { readonly kind: 'unmarked' }
  | { readonly kind: 'other'; readonly owner: string };

export type Claim = {
  /** The objects that want it now, or did before they went. */
  readonly owners: readonly SourceRef[];
  /** The mark that we last saw on it: it stays ours when one source takes over from another. */
  readonly lastMark: Mark | undefined;
};

export function ownershipOf(text: string | null | undefined, { owners, lastMark }: Claim): Ownership {
  const mark = readMark(text);
  if (!mark) return { kind: 'unmarked' };
  // A mark that names nobody was written by an operator like us, for nobody else.
  if (mark.kind === 'operator' || owners.some((owner) => isMarkOf(mark, owner))) return { kind: 'ours' };
  if (lastMark && canonicalJson(lastMark) === canonicalJson(mark)) return { kind: 'ours' };
  return { kind: 'other', owner: nameOf(mark) };
}

function nameOf(mark: Exclude<Mark, { kind: 'operator' }>): string {
  return mark.kind === 'object' ? sourceId(mark.owner) : `${mark.ownerKind}/#${mark.ownerHash}`;
}

/** What is wanted as it would be if nobody had marked it: what an unmarked object has to equal to be taken for ours. */
export function withoutMarks<T>(value: T): T {
  return strip(value) as T;
}

function strip(value: unknown): unknown {
  if (typeof value === 'string') return readMark(value) ? withoutMark(value) : value;
  if (Array.isArray(value)) return value.map(strip);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, strip(field)]));
}
