import { isCloudflareError } from '@tributary/cloudflare-api';
import { recheck, settled } from '@tributary/runtime';
import type { Outcome, ReconcileContext } from '@tributary/runtime';
import { syncStateKind } from '../l4-state/sync-state.ts';
import { toCall } from './cluster-reads.ts';
import { askAgainMs, openSession } from './engine.ts';
import type { Presence } from './crowd.ts';
import type { Engine, Session } from './engine.ts';
import { isFinal, toFailure } from './errors-to-conditions.ts';
import { plan } from './plan.ts';
import type { Plan } from './plan.ts';
import { giveUpOf, toPlanInput } from './plan-input.ts';
import { release } from './release.ts';
import { writeRemote } from './remote-write.ts';
import type { RemoteWriteOptions } from './remote-write.ts';
import { createStatusWriter } from './status-writer.ts';
import type { StatusWriter } from './status-writer.ts';
import { rememberedOf } from './wish.ts';
import type { Wish } from './wish.ts';

/**
 * Nobody wants it any more: the remote side is brought to its end, then the SyncState goes. All that this needs stands in
 * the SyncState. What cannot be done now is shown and tried again.
 */
export async function endWish(engine: Engine, wish: Wish, context: ReconcileContext): Promise<Outcome> {
  const status = createStatusWriter(wish.state, wish.slices, engine);
  engine.verify.delete(wish.state.metadata.name ?? '');
  if (wish.orphaned || giveUpOf(wish) === 'retain' || hasNothingRemote(wish)) return end(engine, wish, status);
  const presence = engine.crowd.enter(wish.scope, wish.state.metadata.name ?? '');
  try {
    return await giveUp(engine, wish, status, context, presence);
  } catch (error) {
    const failure = toFailure(error);
    if (failure && !context.signal.aborted) await status.write({ kind: 'failed', ...failure });
    // A deletion is owed whatever was said to it: what a person mends at Cloudflare nobody tells us.
    if (isFinal(error)) return recheck(askAgainMs * 10);
    throw error;
  } finally {
    presence.leave();
  }
}

/** Nothing was ever written, and nobody is known whose mark could be out there. */
function hasNothingRemote({ target, state, claim }: Wish): boolean {
  const { cloudflareID, intent, recorded } = state.status ?? {};
  if (target.shared) return recorded === undefined;
  return cloudflareID === undefined && intent === undefined && claim.owners.length === 0;
}

async function giveUp(
  engine: Engine,
  wish: Wish,
  status: StatusWriter,
  { signal }: ReconcileContext,
  presence: Presence,
): Promise<Outcome> {
  const { state } = wish;
  const session = await openSession(engine, wish);
  if (!session.ok) {
    const message = `it cannot be removed from Cloudflare: ${session.message}`;
    await status.write({ kind: 'failed', reason: 'CredentialsMissing', message });
    return recheck(askAgainMs);
  }
  const related = await observe(engine, wish, session.value, { signal, onStart: presence.looks });
  const step = plan(toPlanInput(engine, wish, undefined, related));
  const held = await askBreaker(engine, wish, step);
  if (held !== undefined) {
    await status.write({ kind: 'held', message: held });
    const note = { type: 'Warning', reason: 'DeletionHeld', message: held } as const;
    if (status.wrote()) engine.events?.record(syncStateKind, state, note);
    return recheck(askAgainMs * 10);
  }
  await carryOut(engine, wish, session.value, step, { presence, status, priority: 'deletion', signal });
  presence.isThrough();
  return end(engine, wish, status);
}

/** What holds it may be gone as a whole, a zone for example, and it went with that. */
async function observe(
  engine: Engine,
  { target, key, state }: Wish,
  session: Session,
  { signal, onStart }: { readonly signal: AbortSignal; readonly onStart: () => void },
): Promise<readonly unknown[]> {
  const id = state.status?.cloudflareID;
  const remembered = rememberedOf(state.status?.recorded);
  const parts = { ...session, priority: 'deletion', signal } as const;
  try {
    if (id === undefined) onStart();
    else {
      const seen = await engine.observer.observe({
        target,
        key,
        desired: undefined,
        id,
        remembered,
        ...parts,
        onStart,
      });
      if (seen.some((one) => target.idOf(one) === id)) return seen;
    }
    // What is not there by its id may have been made anew. A list does not say which of an owner's objects is this one, and
    // another that is wanted must not be taken for it: only a look by key will do.
    return await target.observe.lookup({ key, desired: undefined, id: undefined, remembered }, toCall(parts));
  } catch (error) {
    if (isCloudflareError(error, 'not-found')) return [];
    throw error;
  }
}

async function askBreaker(engine: Engine, wish: Wish, step: Plan<unknown, unknown>): Promise<string | undefined> {
  const { name = '' } = wish.state.metadata;
  const { target, scope, state } = wish;
  if (step.do === 'clear' && target.shared) {
    const present = target.shared.entries(state.status?.recorded);
    const whole = { names: step.removes, pending: step.removes, present, syncStates: [name] };
    return engine.breaker.ask({ scope: `${scope}|${name}`, ...whole });
  }
  if (step.do !== 'delete') return undefined;
  const { pending: known, present } = engine.deletionsIn(scope);
  const pending = known.includes(name) ? known : [...known, name];
  return engine.breaker.ask({ scope, names: [name], pending, present, syncStates: pending });
}

async function carryOut(
  engine: Engine,
  wish: Wish,
  session: Session,
  step: Plan<unknown, unknown>,
  how: RemoteWriteOptions,
): Promise<void> {
  const { key } = wish;
  try {
    if (step.do === 'delete') {
      await writeRemote(engine, wish, session, { do: 'delete', key, observed: step.observed }, how);
    } else if (step.do === 'clear') {
      const { observed, wanted, fields } = step;
      await writeRemote(engine, wish, session, { do: 'update', key, observed, wanted, fields }, how);
    }
  } catch (error) {
    // Gone already is as good as deleted.
    if (!isCloudflareError(error, 'not-found')) throw error;
  }
}

/** Its spec is another than the one that was judged; the watch brings it back. */
function isWantedAgain({ state }: Wish, status: StatusWriter): boolean {
  return status.current().metadata.generation !== state.metadata.generation;
}

async function end(engine: Engine, wish: Wish, status: StatusWriter): Promise<Outcome> {
  if (isWantedAgain(wish, status)) return settled;
  // First the one that the others follow: a source that came back meanwhile stops everything.
  if (!(await release(status.current(), engine.client))) return settled;
  for (const slice of wish.slices) await release(slice, engine.client);
  return settled;
}
