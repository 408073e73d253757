import type { ObjectMeta } from '@tributary/runtime';
import { decodeExpectedMetadata, encodeExpectedMetadata } from '../contract/expected-metadata.ts';
import type { ExpectedMetadata } from '../contract/expected-metadata.ts';
import { annotations } from '../contract/keys.ts';

type Entries = Readonly<Record<string, string>>;

export type MetadataPlan = {
  readonly labels: Readonly<Record<string, string | null>>;
  readonly annotations: Readonly<Record<string, string | null>>;
};

export type MetadataMode = {
  /** Leave objects alone that carry no expected metadata: nobody knows what on them came from V. */
  readonly onlyIfKnown?: boolean;
};

/**
 * V owns metadata: what V changed since the last push goes to P, what V took away goes, and what others did in P stays. Undefined
 * when there is nothing to tell.
 */
export function planMetadata(
  wanted: Required<Pick<ExpectedMetadata, 'labels' | 'annotations'>>,
  actual: ObjectMeta,
  { onlyIfKnown = false }: MetadataMode = {},
): MetadataPlan | undefined {
  const recorded = actual.annotations?.[annotations.expectedMetadata];
  if (recorded === undefined && onlyIfKnown) return undefined;
  const decoded = decodeExpectedMetadata(recorded);
  // What cannot be read is written anew; nothing is taken away on its word.
  const previous = decoded.ok ? decoded.value : {};
  const encoded = encodeExpectedMetadata(wanted);
  const plan = {
    labels: planEntries(wanted.labels, previous.labels ?? {}, actual.labels ?? {}),
    annotations: {
      ...planEntries(wanted.annotations, previous.annotations ?? {}, actual.annotations ?? {}),
      ...(encoded !== recorded && { [annotations.expectedMetadata]: encoded }),
    },
  };
  return Object.keys(plan.labels).length + Object.keys(plan.annotations).length === 0 ? undefined : plan;
}

function planEntries(wanted: Entries, previous: Entries, actual: Entries): Readonly<Record<string, string | null>> {
  const set = Object.entries(wanted).filter(([key, value]) => value !== previous[key] && value !== actual[key]);
  const removed = Object.keys(previous).filter((key) => wanted[key] === undefined && actual[key] !== undefined);
  return Object.fromEntries([...set, ...removed.map((key) => [key, null] as const)]);
}
