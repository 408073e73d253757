import { hasFinalizer, recheck, settled } from '@tributary/runtime';
import type { Checked, KubeObject, Kind } from '@tributary/runtime';
import type { Committer, SourceOwner } from '../l3-core/committer.ts';
import { baseNameOf, placeOf } from '../l3-core/slices.ts';
import type { Contribution } from '../l4-state/contract.ts';
import type { SourceRef } from '../l4-state/source.ts';
import { planChildren } from './children.ts';
import type { ExistingChild } from './children.ts';
import type { AnyContributor, Child, Refs, Resolution, View } from './contributor.ts';
import { planStatus } from './plan-status.ts';
import type { Plan, Step, StepProblem } from './step.ts';
import type { SyncStates } from './sync-states.ts';
import { defaultWords, toLossText, toView, viewOfProblem } from './view.ts';

/** All that a plan is made from. */
export type PlanContext = {
  readonly contributor: AnyContributor;
  readonly refs: Refs;
  readonly syncStates: SyncStates;
  readonly committer: Pick<Committer, 'isRegistered'>;
  readonly children: (owner: SourceRef) => readonly ExistingChild[];
  /** Nothing is taken for gone before every cache is complete. */
  readonly cachesComplete: boolean;
  readonly isLeader: boolean;
  readonly now: number;
  /** What remains of the time in which waiting for Cloudflare is no news yet. */
  readonly pendingLeftMs: () => number;
  /** What trying the last plan has shown. */
  readonly problem?: StepProblem;
};

export function sourceRefOf(kind: Pick<Kind, 'kind'>, { metadata }: KubeObject): SourceRef {
  const { name = '', namespace } = metadata;
  return { kind: kind.kind, ...(namespace !== undefined && { namespace }), name };
}

/** What a living object still needs. */
export function planObject(given: KubeObject, context: PlanContext): Plan {
  const { contributor, refs } = context;
  const checked = check(contributor.kind, given);
  if (!checked.ok) {
    const view = viewOfProblem('Error', 'InvalidConfig', checked.message);
    return { steps: statusSteps(given, view, {}, context), outcome: settled };
  }
  const object = checked.value;
  const { resolution, asked } = resolve(contributor, object, refs);
  const wishes = wishesOf(contributor, object, resolution, asked);
  const view = withChildren(viewOf(object, resolution, wishes, context), object, context);
  const edits = context.problem
    ? []
    : planEdits(object, wishes.all, resolution.ok || resolution.release === true, context);
  const held = wishes.all.length > 0 ? holdOn(contributor, object) : [];
  // Their effect is not to be seen yet; the change of a SyncState brings the object back.
  if (edits.length > 0) return { steps: [...held, ...edits], outcome: settled };
  const children = resolution.ok && !context.problem ? planFamily(object, resolution.value, view, context) : [];
  const told = { view, resolved: resolution.ok ? resolution.value : undefined };
  const plan = withTold([...held, ...children], object, told, context);
  if (!contributor.events || view.state === 'Pending') return plan;
  if (resolution.ok) return { ...plan, notices: contributor.events(object, resolution.value, view) };
  // The kind cannot speak for what it could not resolve, and it may have no condition that does.
  return { ...plan, notices: [{ type: 'Warning', reason: resolution.reason, message: resolution.message }] };
}

type Wishes = { readonly own: readonly Contribution[]; readonly all: readonly Contribution[] };

type Resolved = { readonly resolution: Resolution<unknown>; readonly asked: readonly Contribution[] };

function resolve(contributor: AnyContributor, object: KubeObject, refs: Refs): Resolved {
  const asked: Contribution[] = [];
  const lookUp: Refs['lookUp'] = (lookup) => {
    asked.push(lookup);
    return refs.lookUp(lookup);
  };
  const resolution = contributor.resolve(object, { ...refs, lookUp });
  return { resolution, asked };
}

function wishesOf(
  contributor: AnyContributor,
  object: KubeObject,
  resolution: Resolution<unknown>,
  asked: readonly Contribution[],
): Wishes {
  const own = resolution.ok ? contributor.contribute(object, resolution.value) : [];
  const meanwhile = resolution.ok ? [] : (resolution.meanwhile ?? []);
  // One SyncState takes one wish of an object: its own comes before what it looks up.
  const all = new Map([...asked, ...meanwhile, ...own].map((wish) => [wish.syncState.name, wish]));
  return { own, all: [...all.values()] };
}

function viewOf(
  object: KubeObject,
  resolution: Resolution<unknown>,
  { own }: Wishes,
  { contributor, refs, syncStates, problem }: PlanContext,
): View {
  if (problem) return viewOfProblem('Error', problem.reason, problem.message);
  if (!resolution.ok) {
    const state = resolution.state === 'waiting' ? 'Pending' : 'Error';
    return viewOfProblem(state, resolution.reason, resolution.message);
  }
  const words = contributor.ready || defaultWords;
  const view = toView(sourceRefOf(contributor.kind, object), own, syncStates, words);
  if (view.ready.status !== 'True') return view;
  return { ...view, ready: { ...view.ready, ...contributor.verdict?.(object, view, refs) } };
}

function withChildren(view: View, object: KubeObject, { contributor, children }: PlanContext): View {
  if (!contributor.childKinds) return view;
  return { ...view, children: children(sourceRefOf(contributor.kind, object)).map((child) => child.object) };
}

function planEdits(
  object: KubeObject,
  wishes: readonly Contribution[],
  isWhole: boolean,
  { contributor, syncStates, committer, cachesComplete }: PlanContext,
): readonly Step[] {
  const owner = ownerOf(contributor.kind, object);
  const registers = wishes
    .filter((contribution) => !committer.isRegistered(contribution, owner))
    .map((contribution): Step => ({ do: 'register', contribution }));
  // As long as a reference is missing nobody knows what would be wanted: what was contributed stays.
  if (!isWhole || !cachesComplete) return registers;
  const wanted = new Set(wishes.map(({ syncState }) => syncState.name));
  const stale = syncStates
    .of(owner.ref)
    .filter((state) => !state.metadata.deletionTimestamp)
    .filter((state) => {
      const base = baseNameOf(state);
      return !wanted.has(base) || placeOf(syncStates.slices(base), owner.ref) !== state;
    })
    .map(({ metadata }): Step => ({ do: 'unregister', syncState: metadata.name ?? '' }));
  return [...registers, ...stale];
}

export function ownerOf(kind: Pick<Kind, 'kind'>, object: KubeObject): SourceOwner {
  return { ref: sourceRefOf(kind, object), createdAt: object.metadata.creationTimestamp ?? '' };
}

function holdOn({ finalizer }: AnyContributor, object: KubeObject): readonly Step[] {
  if (finalizer === undefined || hasFinalizer(object, finalizer)) return [];
  return [{ do: 'set-finalizers', finalizers: [...(object.metadata.finalizers ?? []), finalizer] }];
}

function planFamily(
  object: KubeObject,
  resolved: unknown,
  view: View,
  { contributor, refs, children }: PlanContext,
): readonly Step[] {
  if (!contributor.children) return [];
  const ref = sourceRefOf(contributor.kind, object);
  const wanted: readonly Child[] = contributor.children(object, resolved, view, refs);
  return planChildren({ kind: contributor.kind, object, ref }, wanted, children(ref));
}

type Told = { readonly view: View; readonly resolved: unknown };

/** What waits for Cloudflare is told only when it takes long: the usual way has one write of the status, at its end. */
function withTold(steps: readonly Step[], object: KubeObject, told: Told, context: PlanContext): Plan {
  const { view, resolved } = told;
  const leftMs = view.state === 'Pending' ? context.pendingLeftMs() : 0;
  if (leftMs > 0) return { steps, outcome: recheck(leftMs) };
  const { contributor, refs } = context;
  const fields = contributor.status?.(object, view, refs, context.now, resolved) ?? {};
  const annotations = annotationSteps(object, told, context);
  return { steps: [...steps, ...annotations, ...statusSteps(object, view, fields, context)], outcome: settled };
}

function statusSteps(
  object: KubeObject,
  { ready }: View,
  fields: Readonly<Record<string, unknown>>,
  { contributor, now }: PlanContext,
): readonly Step[] {
  const shown = contributor.ready === false ? undefined : ready;
  const steps = planStatus({ object, fields, required: contributor.emptyStatus, ready: shown, now });
  // A kind that has words of its own says all there is to say.
  return contributor.events ? steps.filter((step) => step.do !== 'tell') : steps;
}

/** The leader's alone, as is what goes with them: on kinds without conditions an Event tells who won. */
function annotationSteps(
  object: KubeObject,
  { view, resolved }: Told,
  { contributor, isLeader }: PlanContext,
): readonly Step[] {
  if (!contributor.annotations || !isLeader) return [];
  const current = object.metadata.annotations ?? {};
  const wanted = Object.entries(contributor.annotations(object, view, resolved));
  const changed = wanted.filter(([name, value]) => current[name] !== value);
  if (changed.length === 0) return [];
  const annotations = Object.fromEntries(changed.map(([name, value]) => [name, value ?? null]));
  const steps: readonly Step[] = [{ do: 'annotate', annotations }];
  if (contributor.ready !== false || contributor.events || view.losses.length === 0) return steps;
  return [...steps, { do: 'tell', note: { type: 'Warning', reason: 'Conflict', message: toLossText(view.losses) } }];
}

type Checker = {
  readonly parseSpec?: (spec: unknown) => Checked<object>;
  readonly parseObject?: (object: KubeObject) => Checked<KubeObject>;
};

/** The server has checked it by the CRD of its day; ours may be another. */
function check(kind: Kind<KubeObject>, object: KubeObject): Checked<KubeObject> {
  const { parseSpec, parseObject } = kind as Checker;
  if (!parseSpec) return { ok: true, value: object };
  // Some early kinds have their fields at the root.
  if (parseObject && !('spec' in object)) return checkWhole(object, parseObject);
  const parsed = parseSpec((object as { readonly spec?: unknown }).spec);
  return parsed.ok ? { ok: true, value: { ...object, spec: parsed.value } as KubeObject } : parsed;
}

/** The status is ours to write, and may be of another day. */
function checkWhole(object: KubeObject, parse: NonNullable<Checker['parseObject']>): Checked<KubeObject> {
  const { status, ...rest } = object as KubeObject & { readonly status?: unknown };
  const parsed = parse(rest);
  return parsed.ok && status !== undefined ? { ok: true, value: { ...parsed.value, status } as KubeObject } : parsed;
}
