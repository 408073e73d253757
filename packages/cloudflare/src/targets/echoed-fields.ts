import { hashOf } from '@tributary/runtime';
import { differingFields } from './compare-fields.ts';
import type { FieldComparison, WireFields } from './compare-fields.ts';

/** What was sent for a field and what was shown for it from then on, where the two are not the same text. */
type Echoes = { readonly echoes?: Readonly<Record<string, { readonly sent: string; readonly shown: string }>> };

/**
 * For what the API writes in its own way, leaves out or fills in: what it showed right after our write is remembered
 * beside what we sent, as hashes. As long as both are the same, a different text is no difference.
 */
export function echoesOf(
  wanted: WireFields,
  observed: WireFields,
  names: readonly string[],
  comparison?: FieldComparison,
): Echoes | undefined {
  const differing = differingFields(wanted, observed, names, comparison);
  if (differing.length === 0) return undefined;
  return {
    echoes: Object.fromEntries(
      differing.map((name) => [name, { sent: textHash(wanted[name]), shown: textHash(observed[name]) }]),
    ),
  };
}

/** The fields in which an object differs from what is wanted and from what was shown for it. */
export function unechoedFields(
  wanted: WireFields,
  observed: WireFields,
  names: readonly string[],
  { comparison, remembered }: { readonly comparison?: FieldComparison | undefined; readonly remembered: unknown },
): readonly string[] {
  const { echoes = {} } = (remembered ?? {}) as Echoes;
  return differingFields(wanted, observed, names, comparison).filter((name) => {
    const echo = echoes[name];
    return echo?.sent !== textHash(wanted[name]) || echo.shown !== textHash(observed[name]);
  });
}

function textHash(value: unknown): string {
  return hashOf(value ?? null).slice(0, 16);
}
