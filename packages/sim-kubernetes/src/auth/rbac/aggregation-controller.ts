// ClusterRoles that gather the rules of others by their labels: admin, edit, view and whatever users declare.
import { createKeyedWorker } from '../../actors/keyed-worker.ts';
import type { Actor, ActorContext } from '../../registry/actor.ts';
import { cloneJson } from '../../registry/clone-json.ts';
import type { Draft } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { aggregatedRules } from './aggregate-rules.ts';
import { rbacGroup } from './rule-resolver.ts';

const roles = { group: rbacGroup, plural: 'clusterroles' };
/** Any role may be one that others gather from, so whichever changes, all that gather are looked at. */
const all = 'all';

export function createAggregationController(onError?: (error: unknown) => void): Actor {
  return {
    name: 'clusterrole-aggregation-controller',
    start: (context) => {
      const { store, clock } = context;
      const gathered = new Map<string, unknown>();
      const worker = createKeyedWorker(clock, () => gather(context, gathered), onError);
      const stop = store.subscribe(roles, () => worker.add(all));
      if (store.count(roles) > 0) worker.add(all);
      return () => {
        stop();
        worker.stop();
      };
    },
  };
}

/**
 * A write wakes the next look, so a chain of roles that gather from one another is followed to its end. The real
 * controller applies what it found: of rules that others wrote it takes none away when it found nothing.
 */
async function gather({ store, client }: ActorContext, gathered: Map<string, unknown>): Promise<undefined> {
  const known = store.list(roles);
  for (const role of known) {
    const { name, uid } = role.metadata;
    const rules = aggregatedRules(role, known);
    const now = role['rules'] ?? [];
    if (rules === undefined || sameJson(rules, now)) continue;
    if (rules.length === 0 && !sameJson(gathered.get(uid), now)) continue;
    await client.change(roles, { name }, (draft: Draft) => {
      draft['rules'] = cloneJson(rules);
    });
    gathered.set(uid, rules);
  }
}
