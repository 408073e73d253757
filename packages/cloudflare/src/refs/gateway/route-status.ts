import type { View } from '../../engine/l2-controllers/contributor.ts';
import { sourceId } from '../../engine/l4-state/source.ts';
import { gatewayController } from './claim-gateway.ts';
import type { ParentStatus, Route } from './gateway-kinds.ts';
import type { ResolvedRoute } from './route-contributions.ts';
import { toConditions, verdict } from './verdict.ts';
import type { Verdict } from './verdict.ts';
import { parentId } from './view-route.ts';
import type { ParentView } from './view-route.ts';

/** `status.parents`: ours as they are now, each in its place; those of other controllers as they stand. */
export function parentStatuses(
  route: Route,
  views: readonly ParentView[],
  resolved: ResolvedRoute,
  losses: View['losses'],
  now: number,
): readonly ParentStatus[] {
  const before = route.status?.parents ?? [];
  const made = new Map(
    views.map((view): [string, ParentStatus] => {
      const id = parentId(view.parentRef);
      const known = before.find((entry) => isOurs(entry) && parentId(entry.parentRef) === id);
      const time = { now, generation: route.metadata.generation };
      const conditions = toConditions(known?.conditions, toVerdicts(view, resolved, losses), time);
      return [id, { parentRef: view.parentRef, controllerName: gatewayController, conditions }];
    }),
  );
  const kept = before.flatMap((entry) => {
    if (!isOurs(entry)) return [entry];
    const id = parentId(entry.parentRef);
    const ours = made.get(id);
    made.delete(id);
    return ours ? [ours] : [];
  });
  return [...kept, ...made.values()];
}

function isOurs({ controllerName }: ParentStatus): boolean {
  return controllerName === gatewayController;
}

function toVerdicts(view: ParentView, { rules, dropped }: ResolvedRoute, losses: View['losses']): readonly Verdict[] {
  const { attached } = view;
  const accepted = attached.ok
    ? verdict('Accepted', true, 'Accepted', acceptedText(losses))
    : verdict('Accepted', false, attached.reason, attached.message);
  const problem = rules.flatMap(({ origin }) => origin.problem ?? [])[0];
  const resolved = problem
    ? verdict('ResolvedRefs', false, problem.reason, `${problem.message}; it answers 500`)
    : verdict('ResolvedRefs', true, 'ResolvedRefs', 'everything that it refers to is there');
  const partial = verdict('PartiallyInvalid', true, 'UnsupportedValue', `Dropped Rule: ${dropped.join('; ')}`);
  return [accepted, resolved, ...(attached.ok && dropped.length > 0 ? [partial] : [])];
}

/** Who was first with a host and path has it; the route itself is in order. */
function acceptedText(losses: View['losses']): string {
  const lost = losses.map(({ what, winner }) => `${what} goes to ${sourceId(winner)}`);
  return ['the tunnel has its rules', ...lost].join('; ');
}
