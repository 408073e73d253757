import { getCondition, recheck } from '@tributary/runtime';
import type { Outcome } from '@tributary/runtime';
import { syncStateKind } from '../l4-state/sync-state.ts';
import { toCall } from './cluster-reads.ts';
import { askAgainMs } from './engine.ts';
import type { Session } from './engine.ts';
import { lookAgainAfter } from './look-again.ts';
import { nearLimit } from './near-limit.ts';
import { duplicatesOf } from './plan.ts';
import type { Found } from './plan.ts';
import { release } from './release.ts';
import { priorityOf } from './sync-run.ts';
import type { Input, Run } from './sync-run.ts';
import type { SyncedFacts } from './sync-status.ts';
import { findUnapplied, unappliedMark, unappliedMessage } from './unapplied.ts';
import type { Written } from './unapplied.ts';
import { rememberedOf, toOwnRecord } from './wish.ts';
import type { Wish } from './wish.ts';
import { writeSecrets } from './write-secrets.ts';

/** How one run went. */
type Result = {
  readonly observed: unknown;
  /** Foreign entries included. */
  readonly wanted: unknown;
  readonly how: Found | 'created';
  readonly wrote: boolean;
  readonly written?: Written;
};

/** Says in one status write that Cloudflare has what is wanted; or that it took it and shows something else. */
export async function finish(run: Run, session: Session, input: Input, result: Result): Promise<Outcome> {
  const { engine, wish, desired, losers, hash, status, context } = run;
  run.presence.isThrough();
  const { target, key } = wish;
  const { observed, wanted, how, wrote } = result;
  const call = toCall({ ...session, priority: priorityOf(run), signal: context.signal });
  const secrets = (await target.secrets?.(observed, desired, key, call)) ?? [];
  await writeSecrets(secrets, wish.state.metadata.name ?? '', engine.client);
  const now = engine.clock.now();
  const recorded = target.shared
    ? target.shared.record(wanted, observed)
    : toOwnRecord(target, wanted, observed, wish.state.status?.recorded, now);
  const unapplied = await findUnapplied(wish, result.written && { ...result.written, recorded }, call);
  const lookAgainAt = target.lookAgainAt?.(observed, desired, { now, remembered: rememberedOf(recorded) });
  const near = nearLimit(wish);
  await status.write({
    kind: 'synced',
    hash,
    losers,
    id: target.idOf(observed),
    outputs: target.outputs?.(observed, wanted, secrets, rememberedOf(recorded)) ?? {},
    recorded,
    lookAgainAt,
    created: isCreated(wish, how),
    aggregated: target.contract.sources === 'many' ? shown(desired) : undefined,
    duplicates: how === 'mark' ? duplicatesOf(input, observed) : [],
    wrote,
    nearLimit: near,
    unapplied: unapplied.length > 0 ? toRefusal(run, unapplied) : undefined,
  });
  if (near !== undefined) warnOfLimit(run, near);
  for (const slice of wish.slices) if ((slice.spec.sources ?? []).length === 0) await release(slice, engine.client);
  if (unapplied.length > 0) return lookOnceMore(run);
  return lookAgainAfter(lookAgainAt, engine.clock);
}

/** Once: the condition says that it was said. */
function warnOfLimit({ engine, wish }: Run, message: string): void {
  if (getCondition(wish.state.status?.conditions, 'NearLimit')) return;
  engine.events?.record(syncStateKind, wish.state, { type: 'Warning', reason: 'NearLimit', message });
}

/** What was read may have been old: one more look decides. */
function lookOnceMore({ engine, wish }: Run): Outcome {
  engine.verify.add(wish.state.metadata.name ?? '');
  return recheck(askAgainMs);
}

function isCreated({ state }: Wish, how: Found | 'created'): boolean {
  return how === 'created' || (state.status?.created ?? (how === 'mark' || how === 'intent'));
}

function toRefusal({ refusal }: Run, fields: readonly string[]): SyncedFacts['unapplied'] {
  return { message: unappliedMessage(fields), refused: { hash: refusal, observed: unappliedMark(fields) } };
}

/** An object of Kubernetes has its limit, and the sources stand in it already. */
const mostShownBytes = 64 * 1024;

function shown(desired: unknown): unknown {
  return Buffer.byteLength(JSON.stringify(desired)) <= mostShownBytes ? desired : undefined;
}
