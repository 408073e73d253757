import type { Engine } from './engine.ts';
import type { Intent, PlanInput } from './plan.ts';
import { asksToAdopt, rememberedOf } from './wish.ts';
import type { Wish } from './wish.ts';

/** Everything that the plan for one SyncState depends on. */
export function toPlanInput(
  engine: Pick<Engine, 'heldByAnother'>,
  wish: Wish,
  desired: unknown,
  related: readonly unknown[],
): PlanInput<unknown, unknown, unknown> {
  const { target, state, key, claim } = wish;
  const { status } = state;
  const { create } = target;
  return {
    target: {
      ...target,
      relation: (wanted, observed) => target.relation(wanted, observed, key),
      difference: (wanted, observed) => target.difference(wanted, observed, rememberedFor(wish, observed)),
      creates: (wanted) => create !== undefined && (create.allowed?.(wanted) ?? true),
    },
    key,
    desired,
    related,
    memory: { id: status?.cloudflareID, intent: status?.intent as Intent | undefined, recorded: status?.recorded },
    claim,
    adopt: asksToAdopt(wish),
    giveUp: giveUpOf(wish),
    heldByAnother: (id) => engine.heldByAnother(state, id),
  };
}

/** What is remembered is about the object that we know, not about another one that took its place. */
export function rememberedFor({ target, state }: Wish, observed: unknown): unknown {
  const { cloudflareID, recorded } = state.status ?? {};
  if (target.shared || (cloudflareID !== undefined && target.idOf(observed) !== cloudflareID)) return undefined;
  return rememberedOf(recorded);
}

export function giveUpOf({ target, state, key }: Wish): 'delete' | 'clear' | 'retain' {
  const { created, cloudflareID, intent } = state.status ?? {};
  // An intent without an id is a create whose end we do not know: if there is an object, we made it.
  return target.giveUp({ key, created: created ?? (cloudflareID === undefined && intent !== undefined) });
}
