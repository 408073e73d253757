import type { Claim, Ownership } from './ownership.ts';
import { ownershipOf, withoutMarks } from './ownership.ts';
import type { Target } from './target.ts';

/** Decides, without doing anything, what has to happen to one remote object. */
export type Plan<D, O> =
  | { readonly do: 'create'; readonly wanted: D }
  | { readonly do: 'adopt'; readonly observed: O; readonly wanted: D }
  | ({ readonly do: 'update' } & Change<D, O>)
  | { readonly do: 'nothing'; readonly observed: O; readonly wanted: D; readonly how: Found }
  | { readonly do: 'refuse'; readonly reason: RefusalReason; readonly message: string }
  /** It should be there and is not ours to make. */
  | { readonly do: 'missing' }
  | { readonly do: 'delete'; readonly observed: O }
  | ({ readonly do: 'clear' } & Change<D, O>)
  /** Nobody wants it, and it stays. */
  | { readonly do: 'retain'; readonly why: string }
  | { readonly do: 'gone' };

export type Change<D, O> = {
  readonly observed: O;
  readonly wanted: D;
  readonly fields: readonly string[];
  readonly how: Found;
  /** Names of entries that go, where the object is shared. */
  readonly removes: readonly string[];
};

export type RefusalReason = 'NotOwned' | 'OwnedByOther' | 'Blocked';

/** By what an object was known: its id, our mark, an intent of ours, or by being what is wanted. */
export type Found = 'id' | 'mark' | 'intent' | 'same';

export type Intent = { readonly at: string; readonly wanted: unknown };

export type PlanInput<K, D, O> = {
  readonly target: PlanFacts<D, O>;
  readonly key: K;
  /** Undefined: nobody wants it any more. */
  readonly desired: D | undefined;
  readonly related: readonly O[];
  readonly memory: {
    readonly id?: string | undefined;
    readonly intent?: Intent | undefined;
    readonly recorded?: unknown;
  };
  readonly claim: Claim;
  readonly adopt: boolean;
  readonly giveUp: 'delete' | 'clear' | 'retain';
  /** Whether another SyncState holds the object with this id. */
  readonly heldByAnother: (id: string) => boolean;
};

type PlanFacts<D, O> = Pick<
  Target<never, never, D, O>,
  'idOf' | 'describe' | 'markedText' | 'bornAt' | 'difference' | 'shared'
> & {
  readonly relation: (desired: D, observed: O) => ReturnType<Target['relation']>;
  /** Whether we may make it. */
  readonly creates: (desired: D) => boolean;
};

/** Clocks differ: what was born a little before we meant to make it may still be ours. */
const skewMs = 5 * 60_000;

export function plan<K, D, O>(input: PlanInput<K, D, O>): Plan<D, O> {
  const { desired, target } = input;
  if (desired === undefined) return planEnd(input);
  const near = { ...input, related: relevantTo(input, desired) };
  return target.shared ? planShared(near, desired, target.shared) : planOwn(near, desired);
}

/** Of a whole scope what concerns this one: in one pass, for a scope may have thousands and as many may ask. */
export function relevantTo<K, D, O>({ target, related, memory }: PlanInput<K, D, O>, desired: D): readonly O[] {
  return related.filter((one) => target.idOf(one) === memory.id || target.relation(desired, one) !== 'none');
}

function planOwn<K, D, O>(input: PlanInput<K, D, O>, desired: D): Plan<D, O> {
  const { target, related, adopt } = input;
  const ours = findById(input) ?? findByMark(input, desired) ?? findByIntent(input, desired);
  const lookupOnly = !target.creates(desired);
  if (ours) {
    const owner = ownership(input, ours.observed);
    if (owner.kind === 'other' && !lookupOnly) return refuseOther(input, ours.observed, owner.owner);
    return keep(input, desired, ours.observed, ours.how);
  }
  if (related.some((observed) => target.relation(desired, observed) === 'blocks')) return refuseBlocked(input, desired);
  const same = byId(
    input,
    related.filter((observed) => target.relation(desired, observed) === 'same'),
  );
  // What we may not make, we are asked to find and set: there is no question of whose it is.
  const [found] = same;
  if (lookupOnly) return found ? keep(input, desired, found, 'same') : { do: 'missing' };
  const unmarked = same.filter((observed) => ownership(input, observed).kind === 'unmarked');
  const free = unmarked.filter((observed) => !input.heldByAnother(target.idOf(observed)));
  const taken = free.find((observed) => equalsWanted(input, desired, observed)) ?? (adopt ? free[0] : undefined);
  if (taken) return take(input, desired, taken);
  const [first] = free;
  if (first) return refuseNotOwned(input, first);
  if (unmarked[0]) return refuseHeld(input, unmarked[0]);
  if (found) return refuseOther(input, found, ownerName(ownership(input, found)));
  return { do: 'create', wanted: desired };
}

/** Further objects that are what is wanted and carry our mark: left by a crash of long ago, and for a person to judge. */
export function duplicatesOf<K, D, O>(input: PlanInput<K, D, O>, ours: O): readonly string[] {
  const { target, desired, related } = input;
  if (desired === undefined || target.shared) return [];
  return related
    .filter((one) => one !== ours && target.relation(desired, one) === 'same')
    .filter((one) => target.markedText && ownership(input, one).kind === 'ours')
    .map((one) => target.idOf(one))
    .filter((id) => id !== target.idOf(ours) && !input.heldByAnother(id))
    .toSorted();
}

function planShared<K, D, O>(
  input: PlanInput<K, D, O>,
  desired: D,
  shared: NonNullable<PlanFacts<D, O>['shared']>,
): Plan<D, O> {
  const { target, related, memory } = input;
  const ours = findById(input)?.observed ?? related.find((one) => target.relation(desired, one) === 'same');
  const wanted = shared.merge(desired, ours, memory.recorded);
  if (ours === undefined) return target.creates(desired) ? { do: 'create', wanted } : { do: 'missing' };
  const fields = target.difference(wanted, ours);
  if (fields.length === 0) return { do: 'nothing', observed: ours, wanted, how: 'same' };
  const kept = new Set(shared.entries(shared.record(desired)));
  const removes = recordedEntries(input).filter((entry) => !kept.has(entry));
  return { do: 'update', observed: ours, wanted, fields, how: 'same', removes };
}

function planEnd<K, D, O>(input: PlanInput<K, D, O>): Plan<D, O> {
  const { target, giveUp, related } = input;
  if (giveUp === 'retain') return { do: 'retain', why: 'it is kept when nobody wants it any more' };
  if (giveUp === 'clear') {
    const observed = findById(input)?.observed ?? related[0];
    if (observed === undefined || !target.shared) return { do: 'gone' };
    const wanted = target.shared.cleared(observed, input.memory.recorded);
    const fields = target.difference(wanted, observed);
    if (fields.length === 0) return { do: 'gone' };
    return { do: 'clear', observed, wanted, fields, how: 'id', removes: recordedEntries(input) };
  }
  const ours = findById(input) ?? findFormer(input);
  if (!ours) return { do: 'gone' };
  const owner = ownership(input, ours.observed);
  if (owner.kind === 'other') return { do: 'retain', why: `it is marked as ${owner.owner}'s now` };
  return { do: 'delete', observed: ours.observed };
}

function recordedEntries<K, D, O>({ target, memory }: PlanInput<K, D, O>): readonly string[] {
  return memory.recorded === undefined ? [] : (target.shared?.entries(memory.recorded) ?? []);
}

type Ours<O> = { readonly observed: O; readonly how: Found };

function findById<K, D, O>({ target, related, memory }: PlanInput<K, D, O>): Ours<O> | undefined {
  if (memory.id === undefined) return undefined;
  const observed = related.find((one) => target.idOf(one) === memory.id);
  return observed === undefined ? undefined : { observed, how: 'id' };
}

/** One owner may have several objects of a type, so a mark alone does not say which of them is this one. */
function findByMark<K, D, O>(input: PlanInput<K, D, O>, desired: D): Ours<O> | undefined {
  const { target, related } = input;
  const isOurs = (observed: O): boolean => ownership(input, observed).kind === 'ours';
  const at = (relation: 'same' | 'beside'): O | undefined =>
    byId(
      input,
      related.filter((one) => target.relation(desired, one) === relation && isOurs(one)),
    ).find((one) => relation === 'same' || !input.heldByAnother(target.idOf(one)));
  const observed = at('same') ?? at('beside');
  return observed === undefined ? undefined : { observed, how: 'mark' };
}

function findByIntent<K, D, O>(input: PlanInput<K, D, O>, wanted: D): Ours<O> | undefined {
  const { target, related, memory } = input;
  const { intent } = memory;
  if (!intent) return undefined;
  const candidates = related.filter(
    (one) =>
      target.relation(wanted, one) === 'same' &&
      ownership(input, one).kind !== 'other' &&
      !input.heldByAnother(target.idOf(one)) &&
      isBornSince(target.bornAt?.(one), intent),
  );
  const [observed] = byId(input, candidates);
  return observed === undefined ? undefined : { observed, how: 'intent' };
}

function isBornSince(bornAt: string | undefined, { at }: Intent): boolean {
  return bornAt === undefined || Date.parse(bornAt) >= Date.parse(at) - skewMs;
}

/** Nobody wants it and its id was never stored: what an intent or the marks of those who wanted it lead to. */
function findFormer<K, D, O>(input: PlanInput<K, D, O>): Ours<O> | undefined {
  const { target, related, memory } = input;
  const byIntent = memory.intent && findByIntent(input, memory.intent.wanted as D);
  if (byIntent) return byIntent;
  const marked = related.filter(
    (one) => ownership(input, one).kind === 'ours' && !input.heldByAnother(target.idOf(one)),
  );
  const [observed] = byId(input, marked);
  return observed === undefined ? undefined : { observed, how: 'mark' };
}

function keep<K, D, O>({ target }: PlanInput<K, D, O>, wanted: D, observed: O, how: Found): Plan<D, O> {
  const fields = target.difference(wanted, observed);
  if (fields.length === 0) return { do: 'nothing', observed, wanted, how };
  return { do: 'update', observed, wanted, fields, how, removes: [] };
}

function take<K, D, O>({ target }: PlanInput<K, D, O>, wanted: D, observed: O): Plan<D, O> {
  const fields = target.difference(wanted, observed);
  if (fields.length === 0) return { do: 'adopt', observed, wanted };
  return { do: 'update', observed, wanted, fields, how: 'same', removes: [] };
}

function equalsWanted<K, D, O>({ target }: PlanInput<K, D, O>, desired: D, observed: O): boolean {
  return (
    target.difference(desired, observed).length === 0 || target.difference(withoutMarks(desired), observed).length === 0
  );
}

function ownership<K, D, O>({ target, claim }: PlanInput<K, D, O>, observed: O): Ownership {
  return ownershipOf(target.markedText?.(observed), claim);
}

function ownerName(owner: Ownership): string {
  return owner.kind === 'other' ? owner.owner : '';
}

function byId<K, D, O>({ target }: PlanInput<K, D, O>, objects: readonly O[]): readonly O[] {
  return objects.toSorted((a, b) => (target.idOf(a) < target.idOf(b) ? -1 : 1));
}

function nameOf<D, O>({ describe, idOf }: PlanFacts<D, O>, observed: O): string {
  return describe ? `${describe(observed)} (${idOf(observed)})` : idOf(observed);
}

function refuseNotOwned<K, D, O>({ target }: PlanInput<K, D, O>, observed: O): Plan<D, O> {
  const message =
    `${nameOf(target, observed)} exists already, is not marked as ours and is not what is wanted; ` +
    'annotate the object with cloudflare-operator.io/adopt: "true" to take it over';
  return { do: 'refuse', reason: 'NotOwned', message };
}

function refuseOther<K, D, O>({ target }: PlanInput<K, D, O>, observed: O, owner: string): Plan<D, O> {
  return { do: 'refuse', reason: 'OwnedByOther', message: `${nameOf(target, observed)} is marked as ${owner}'s` };
}

function refuseHeld<K, D, O>({ target }: PlanInput<K, D, O>, observed: O): Plan<D, O> {
  const message = `${nameOf(target, observed)} is that of another object of this cluster`;
  return { do: 'refuse', reason: 'OwnedByOther', message };
}

function refuseBlocked<K, D, O>({ target, related }: PlanInput<K, D, O>, desired: D): Plan<D, O> {
  const names = related.filter((one) => target.relation(desired, one) === 'blocks').map((one) => nameOf(target, one));
  return { do: 'refuse', reason: 'Blocked', message: `in the way: ${names.toSorted().join(', ')}` };
}
