import { configMapKind, isAlreadyExists, isNotFound } from '@tributary/runtime';
import type { Clock, ConfigMap, Informer, KubeClient, ObjectCache } from '@tributary/runtime';
import { deletionPlanHash, heldDeletions } from './judge-deletions.ts';
import type { BreakerLimits } from './judge-deletions.ts';
import { createRecentDeletions } from './recent-deletions.ts';
import type { RecentDeletions } from './recent-deletions.ts';

/**
 * Stands before every deletion. A plan that would delete too much of a scope is held, with its list in a ConfigMap, until
 * somebody annotates that ConfigMap with the hash of the list. Another list needs another approval.
 */
export type Breaker = {
  /** Undefined: go on. Else why it is held. */
  readonly ask: (request: DeletionRequest) => Promise<string | undefined>;
  /** Takes away ConfigMaps of plans that nothing is held for any more. */
  readonly tidy: (isHeld: (syncState: string) => boolean) => Promise<void>;
};

export type DeletionRequest = {
  readonly scope: string;
  /** What this request would delete. */
  readonly names: readonly string[];
  /** What is to be deleted in the scope, these included. */
  readonly pending: readonly string[];
  readonly present: readonly string[];
  /** The SyncStates to wake when the plan is approved. */
  readonly syncStates: readonly string[];
};

export type BreakerOptions = Partial<BreakerLimits> & {
  readonly windowMs?: number;
  readonly operatorNamespace: string;
};

export const deletionPlanScope = (operatorNamespace: string) =>
  ({ namespace: operatorNamespace, labelSelector: 'cloudflare-operator.io/deletion-plan=held' }) as const;
const label = { 'cloudflare-operator.io/deletion-plan': 'held' } as const;
export const approvalAnnotation = 'cloudflare-operator.io/approve-deletion';
const shownNames = 20;
/** A plan is older than this before it is taken for forgotten: its SyncStates need time to say that they are held. */
const settleMs = 60_000;

export type BreakerDeps = {
  readonly client: Pick<KubeClient, 'create' | 'delete'>;
  readonly cache: Pick<ObjectCache, 'informer'>;
  readonly clock: Clock;
};

export function createBreaker(options: BreakerOptions, { client, cache, clock }: BreakerDeps): Breaker {
  const { most = 10, share = 0.3, windowMs = 10 * 60_000, operatorNamespace: namespace } = options;
  const plans = cache.informer(configMapKind, deletionPlanScope(namespace));
  const recent = createRecentDeletions(windowMs, clock);
  const judge = createJudge({ most, share }, plans, recent);
  const writing = new Map<string, Promise<void>>();

  const hold = async (request: DeletionRequest, held: readonly string[]): Promise<string> => {
    const hash = deletionPlanHash(request.scope, held);
    const name = `deletion-held-${hash}`;
    // All that are held come at once, and one ConfigMap is enough.
    const write = writing.get(name) ?? writePlan(namespace, name, hash, request, held, { client, plans });
    writing.set(name, write);
    await write.finally(() => writing.delete(name));
    return toMessage(`${namespace}/${name}`, hash, held);
  };

  return {
    ask: async (request) => {
      const { held, isHeld, approved } = judge(request);
      if (request.names.some((name) => isHeld.has(name))) return hold(request, held);
      recent.add(
        request.scope,
        request.names.filter((name) => !approved.has(name)),
      );
      return undefined;
    },
    tidy: async (isHeld) => {
      for (const plan of plans.list()) {
        const age = clock.now() - Date.parse(plan.metadata.creationTimestamp ?? '');
        if (!(age > settleMs) || wokenBy(plan).some(isHeld)) continue;
        await removePlan(plan, client);
      }
    },
  };
}

/** All that are to be deleted ask in the same moment: their list is judged once for all of them. */
function createJudge(
  limits: BreakerLimits,
  plans: Informer<ConfigMap>,
  recent: RecentDeletions,
): (request: DeletionRequest) => Judgement {
  const judged = new Map<string, Judgement>();
  let changes = 0;
  plans.onChange(() => (changes += 1));
  return (request) => {
    const { scope, pending } = request;
    const before = recent.in(scope);
    const last = judged.get(scope);
    if (last?.pending === pending && last.changes === changes && last.recent === before.length) return last;
    const approved = plansOf(plans, scope).filter(isApproved).flatMap(namesOf);
    const held = heldDeletions({ ...request, approved, recent: before }, limits);
    const made = { pending, changes, recent: before.length, approved: new Set(approved), held, isHeld: new Set(held) };
    judged.set(scope, made);
    return made;
  };
}

type Judgement = {
  readonly pending: readonly string[];
  readonly changes: number;
  readonly recent: number;
  readonly approved: ReadonlySet<string>;
  readonly held: readonly string[];
  readonly isHeld: ReadonlySet<string>;
};

function plansOf(plans: Informer<ConfigMap>, scope: string): readonly ConfigMap[] {
  return plans.list().filter(({ data }) => data?.['scope'] === scope);
}

export function namesOf({ data }: ConfigMap): readonly string[] {
  return (data?.['names'] ?? '').split('\n').filter((name) => name !== '');
}

export function wokenBy(plan: ConfigMap): readonly string[] {
  return plan.data?.['syncStates']?.split('\n') ?? namesOf(plan);
}

/** The hash is computed anew: a list that was edited after it was written is not the one that was held. */
function isApproved(plan: ConfigMap): boolean {
  const approval = plan.metadata.annotations?.[approvalAnnotation];
  return approval !== undefined && approval === deletionPlanHash(plan.data?.['scope'] ?? '', namesOf(plan));
}

async function writePlan(
  namespace: string,
  name: string,
  hash: string,
  { scope, syncStates }: DeletionRequest,
  held: readonly string[],
  { client, plans }: Pick<BreakerDeps, 'client'> & { readonly plans: Informer<ConfigMap> },
): Promise<void> {
  await plans.caughtUp(`${namespace}/${name}`);
  if (!plans.get({ namespace, name })) {
    const data = {
      scope,
      hash,
      count: String(held.length),
      names: held.join('\n'),
      // Where they are not the names themselves: a ConfigMap holds no more than 1 MiB.
      ...(hasOthers(syncStates, held) && { syncStates: syncStates.join('\n') }),
    };
    try {
      await client.create(configMapKind, { metadata: { namespace, name, labels: label }, data });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
  }
  const outdated = plansOf(plans, scope).filter((plan) => plan.metadata.name !== name && !isApproved(plan));
  for (const plan of outdated) await removePlan(plan, client);
}

function hasOthers(some: readonly string[], than: readonly string[]): boolean {
  const known = new Set(than);
  return some.some((one) => !known.has(one));
}

async function removePlan({ metadata }: ConfigMap, client: Pick<KubeClient, 'delete'>): Promise<void> {
  const { namespace, name = '', uid } = metadata;
  try {
    await client.delete(configMapKind, { namespace, name }, { preconditions: { uid } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

function toMessage(configMap: string, hash: string, held: readonly string[]): string {
  const shown = held.slice(0, shownNames).join(', ');
  const more = held.length > shownNames ? ` and ${held.length - shownNames} more` : '';
  return (
    `${held.length} deletions at once wait for a person, plan ${hash}: ${shown}${more}. ` +
    `The whole list is in ConfigMap ${configMap}; annotate it with ${approvalAnnotation}: "${hash}" to approve it`
  );
}
