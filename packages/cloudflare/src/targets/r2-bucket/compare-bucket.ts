import { canonicalJson } from '@tributary/runtime';
import type { CorsRule, LifecycleRule } from './contract.ts';

export type DesiredBucket = {
  readonly name: string;
  readonly locationHint?: string | undefined;
  readonly storageClass?: string | undefined;
  readonly cors?: readonly CorsRule[] | undefined;
  readonly lifecycle?: readonly LifecycleRule[] | undefined;
};

export type ObservedBucket = {
  readonly name: string;
  readonly location: string;
  readonly storageClass: string;
  readonly createdAt: string;
  readonly cors: readonly CorsRule[];
  readonly lifecycle: readonly LifecycleRule[];
};

type Section = 'storageClass' | 'cors' | 'lifecycle';

/** What we have set at some time: what is not wanted any more goes back to what a new bucket has. */
export type SetSections = { readonly [section in Section]?: true };

const week = 7 * 86_400;

/** What a new bucket has. */
export const fresh: Pick<ObservedBucket, Section> = {
  storageClass: 'Standard',
  cors: [],
  lifecycle: [
    {
      id: 'Default Multipart Abort Rule',
      enabled: true,
      conditions: { prefix: '' },
      abortMultipartUploadsTransition: { condition: { type: 'Age', maxAge: week } },
    },
  ],
};

export function sectionsOf({ storageClass, cors, lifecycle }: DesiredBucket): SetSections | undefined {
  const set: SetSections = {
    ...(storageClass && { storageClass: true }),
    ...(cors && { cors: true }),
    ...(lifecycle && { lifecycle: true }),
  };
  return Object.keys(set).length > 0 ? set : undefined;
}

/** Where the bucket is nobody chooses twice, so its location is not compared. */
export function differingSections(
  desired: DesiredBucket,
  observed: ObservedBucket,
  remembered: unknown,
): readonly Section[] {
  const before = (remembered ?? {}) as SetSections;
  const storageClass = desired.storageClass ?? (before.storageClass && fresh.storageClass);
  const cors = desired.cors ?? (before.cors && fresh.cors);
  const lifecycle = desired.lifecycle ?? (before.lifecycle && fresh.lifecycle);
  return [
    ...(storageClass && storageClass !== observed.storageClass ? (['storageClass'] as const) : []),
    ...(cors && !isSameList(cors, observed.cors, corsText) ? (['cors'] as const) : []),
    ...(lifecycle && !isSameList(lifecycle, observed.lifecycle, lifecycleText) ? (['lifecycle'] as const) : []),
  ];
}

function isSameList<R>(wanted: readonly R[], there: readonly R[], textOf: (rule: R, asked: R) => string): boolean {
  return (
    wanted.length === there.length && wanted.every((rule, at) => textOf(rule, rule) === textOf(there[at] ?? rule, rule))
  );
}

/** A rule without an id is given one. */
function corsText({ id, allowed, exposeHeaders = [], maxAgeSeconds }: CorsRule, asked: CorsRule): string {
  const { origins, methods, headers = [] } = allowed;
  return canonicalJson([
    asked.id === undefined ? '' : (id ?? ''),
    origins,
    methods,
    headers,
    exposeHeaders,
    maxAgeSeconds ?? 0,
  ]);
}

function lifecycleText(rule: LifecycleRule): string {
  const { id, enabled, conditions, storageClassTransitions: moves = [] } = rule;
  return canonicalJson([
    id,
    enabled,
    conditions.prefix,
    whenText(rule.deleteObjectsTransition?.condition),
    whenText(rule.abortMultipartUploadsTransition?.condition),
    ...moves.map(({ condition, storageClass }) => [storageClass, whenText(condition)]),
  ]);
}

type Condition = NonNullable<LifecycleRule['deleteObjectsTransition']>['condition'];

/** A day may be written as such or as its first moment. */
function whenText(condition: Condition | undefined): string | number {
  if (!condition) return '';
  return condition.type === 'Age' ? condition.maxAge : new Date(condition.date).toISOString();
}
