import { canonicalJson, hashOf, KubeApiError, recheck, settled, toTimestamp } from '@tributary/runtime';
import type { Outcome, ReconcileContext } from '@tributary/runtime';
import { syncStateKind } from '../l4-state/sync-state.ts';
import type { AnyChange } from './batch.ts';
import { askAgainMs, openSession } from './engine.ts';
import type { Engine, Session } from './engine.ts';
import type { ObserveRequest } from './observe.ts';
import { asksForAnotherLook, isFinal, isPassing, toFailure } from './errors-to-conditions.ts';
import { plan, relevantTo } from './plan.ts';
import type { Plan } from './plan.ts';
import { lookAgainIn, untilLookMs } from './look-again.ts';
import { rememberedFor, toPlanInput } from './plan-input.ts';
import { writeRemote } from './remote-write.ts';
import { createStatusWriter } from './status-writer.ts';
import { finish } from './finish-run.ts';
import { priorityOf } from './sync-run.ts';
import type { Input, Run } from './sync-run.ts';
import { repeatsUnapplied } from './unapplied.ts';
import { aggregateOf, configHash, refusalHash, toRecordBefore } from './wish.ts';
import type { Wish } from './wish.ts';

/** Brings the provider to what the sources want, and says so in one status write. Silent when it is so already. */
export async function syncWish(engine: Engine, wish: Wish, context: ReconcileContext): Promise<Outcome> {
  const { name = '' } = wish.state.metadata;
  const status = createStatusWriter(wish.state, wish.slices, engine);
  const aggregate = aggregateOf(wish);
  const asked = engine.verify.delete(name);
  if (!aggregate.ok) {
    await status.write({ kind: 'failed', reason: 'ValidationFailed', message: aggregate.message });
    return settled;
  }
  const { desired, losers } = aggregate;
  const hash = configHash(desired);
  const refusal = refusalHash(wish, desired);
  const trusted = engine.trust.holds(wish);
  const inOrder = trusted && isInOrder(wish, hash);
  const leftMs = inOrder ? untilLookMs(wish.state, engine.clock) : undefined;
  if (!asked && leftMs !== 0 && (inOrder || (trusted && wish.state.status?.refused?.hash === refusal))) {
    await status.write({ kind: 'seen', ...(inOrder && { losers }) });
    return lookAgainIn(leftMs);
  }
  const presence = engine.crowd.enter(wish.scope, name);
  const run: Run = {
    engine,
    presence,
    wish,
    desired,
    losers,
    hash,
    refusal,
    verify: asked && inOrder,
    status,
    context,
    seen: () => '',
  };
  try {
    return await work(run, asked);
  } catch (error) {
    if (asked) engine.verify.add(name);
    await tell(run, error);
    throw error;
  } finally {
    presence.leave();
  }
}

function isInOrder({ state }: Wish, hash: string): boolean {
  return state.status?.syncStatus === 'Synced' && state.status.configHash === hash;
}

async function work(run: Run, asked: boolean): Promise<Outcome> {
  const { engine, wish, desired, status, context } = run;
  const { target, key, state } = wish;
  const session = await openSession(engine, wish);
  if (!session.ok) {
    await status.write({ kind: 'failed', reason: 'CredentialsMissing', message: session.message });
    return recheck(askAgainMs);
  }
  const id = state.status?.cloudflareID;
  const { signal } = context;
  const priority = priorityOf(run);
  const asking = { target, key, desired, id, priority, signal };
  const related = await look(run, { ...session.value, ...asking });
  if (!related) return settled;
  const input = toPlanInput(engine, wish, desired, related);
  run.seen = () => hashRelated(input);
  const { refused } = state.status ?? {};
  if (asked && refused?.hash === run.refusal && refused.observed === run.seen()) return settled;
  const step = plan(input);
  if (refused?.hash === run.refusal && repeatsUnapplied(step, refused.observed)) return settled;
  return carryOut(run, session.value, input, step);
}

/** Nothing: the wish is another by now. What was to be looked at for drift alone must not keep a person's change waiting. */
async function look(
  { engine, wish, presence, verify }: Run,
  asking: Omit<ObserveRequest, 'onStart'>,
): Promise<readonly unknown[] | undefined> {
  const { name = '' } = wish.state.metadata;
  let gone = false;
  const onStart = (): void => {
    if (!gone) presence.looks();
  };
  const looking = engine.observer.observe({ ...asking, onStart });
  if (!verify) return looking;
  const related = await engine.giveWay.unlessNews(name, looking);
  gone = related === undefined;
  if (gone) engine.verify.add(name);
  return related;
}

/** What of the provider's side a refusal depended on. */
function hashRelated(input: Input): string {
  const relevant = relevantTo(input, input.desired);
  return hashOf(relevant.map((one) => canonicalJson(JSON.parse(JSON.stringify(one)))).toSorted());
}

async function carryOut(run: Run, session: Session, input: Input, step: Plan<unknown, unknown>): Promise<Outcome> {
  const { engine, wish, status, refusal, seen } = run;
  switch (step.do) {
    case 'nothing':
      return finish(run, session, input, { ...step, wrote: false });
    case 'adopt':
      return finish(run, session, input, { ...step, how: 'same', wrote: false });
    case 'create':
      return create(run, session, input, step.wanted);
    case 'update':
      return update(run, session, input, step);
    case 'missing':
      await status.write({ kind: 'failed', reason: 'NotFound', message: missingMessage(wish) });
      return recheck(askAgainMs);
    case 'refuse': {
      const { reason, message } = step;
      await status.write({ kind: 'failed', reason, message, refused: { hash: refusal, observed: seen() } });
      if (status.wrote()) engine.events?.record(syncStateKind, wish.state, { type: 'Warning', reason, message });
      return settled;
    }
    case 'delete':
    case 'clear':
    case 'retain':
    case 'gone':
      throw new TypeError(`the plan for a wanted object is to ${step.do} it`);
    default:
      return step satisfies never;
  }
}

function missingMessage({ target: { contract }, state: { spec } }: Wish): string {
  const account = spec.accountId === '' ? '' : ` in account ${spec.accountId}`;
  return `there is no ${contract.noun ?? contract.type} ${spec.cloudflareId}${account}, or the credentials may not see it`;
}

async function create(run: Run, session: Session, input: Input, wanted: unknown): Promise<Outcome> {
  const { engine, wish, desired, status } = run;
  const recorded = recordBefore(run, wanted, []);
  if (wish.target.create?.repeatable === 'intent') {
    const known = input.memory.intent;
    const again = known !== undefined && canonicalJson(known.wanted) === canonicalJson(desired);
    const intent = again ? known : { at: toTimestamp(engine.clock.now()), wanted: desired };
    await status.write({ kind: 'syncing', intent, ...recorded });
  } else if (recorded) await status.write({ kind: 'syncing', ...recorded });
  const observed = await apply(run, session, { do: 'create', key: wish.key, wanted });
  return finish(run, session, input, { observed, wanted, how: 'created', wrote: true, written: { wanted, observed } });
}

async function update(
  run: Run,
  session: Session,
  input: Input,
  step: Extract<Plan<unknown, unknown>, { do: 'update' }>,
): Promise<Outcome> {
  const { engine, wish, status } = run;
  const { state, target, key } = wish;
  const { name = '' } = state.metadata;
  if (step.removes.length > 0 && target.shared) {
    const present = target.shared.entries(input.memory.recorded);
    // One shared object is a scope of its own: its entries are what may be deleted.
    const scope = `${wish.scope}|${name}`;
    const held = await engine.breaker.ask({
      scope,
      names: step.removes,
      pending: step.removes,
      present,
      syncStates: [name],
    });
    if (held !== undefined) {
      await status.write({ kind: 'held', message: held });
      return recheck(askAgainMs * 10);
    }
  }
  const { wanted, observed: before, fields, how } = step;
  const recorded = recordBefore(run, wanted, fields);
  if (recorded) await status.write({ kind: 'syncing', ...recorded });
  const remembered = rememberedFor(wish, before);
  const observed = await apply(run, session, { do: 'update', key, wanted, observed: before, fields, remembered });
  if (run.verify) {
    const message = `changed at Cloudflare by somebody else and set back: ${fields.join(', ')}`;
    engine.events?.record(syncStateKind, state, { type: 'Warning', reason: 'DriftRepaired', message });
  }
  const written = { wanted, observed, fields };
  return finish(run, session, input, { observed, wanted, how, wrote: true, written });
}

/** Entries of ours are recorded before they are written, or after a crash they would pass for somebody else's. */
function recordBefore(
  { wish, status }: Run,
  wanted: unknown,
  fields: readonly string[],
): { readonly recorded: unknown } | undefined {
  const old = status.current().status?.recorded as unknown;
  const recorded = toRecordBefore(wish.target, wanted, fields, old);
  return recorded === undefined || canonicalJson(recorded) === canonicalJson(old ?? null) ? undefined : { recorded };
}

async function apply(
  { engine, wish, presence, status, verify, context }: Run,
  session: Session,
  change: AnyChange,
): Promise<unknown> {
  const priority = priorityOf({ verify });
  return writeRemote(engine, wish, session, change, { presence, status, priority, signal: context.signal });
}

async function tell({ status, refusal, seen, verify, context }: Run, error: unknown): Promise<void> {
  const failure = toFailure(error);
  if (!failure || context.signal.aborted) return;
  if (verify && isPassing(error)) return;
  if (asksForAnotherLook(error) && context.failures === 0) return;
  const refused = isFinal(error) ? { refused: { hash: refusal, observed: seen() } } : {};
  // Where the status itself is the trouble, this is no more than a try.
  const told = status.write({ kind: 'failed', ...failure, ...refused });
  await (error instanceof KubeApiError ? told.catch(() => undefined) : told);
}
