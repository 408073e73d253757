import type { Result } from '@tributary/runtime';
import type { AccessIds, AccessRef } from '../../refs/access/access-refs.ts';
import { toWireRules } from '../../refs/access/wire-rules.ts';
import type { OwnPolicy, SharedPolicy } from '../../targets/access-application/contract.ts';
import type { ApplicationSpec, PolicySpec } from './resource.ts';

export type ResolvedPolicies = {
  readonly own: readonly (OwnPolicy & { readonly group?: ResolvedGroup })[];
  readonly shared: readonly (SharedPolicy & { readonly ref: AccessRef })[];
};

export type ResolvedGroup = {
  readonly groupId: string;
  readonly groupName?: string;
  readonly source: 'k8s' | 'groupId' | 'cloudflareGroupName';
};

/** Where a shared policy stands for which nobody says a place: after those of the application's own. */
const sharedFrom = 100;

/** The policies of an application with ids for all that they refer to, or the first thing that is wrong with them. */
export function resolvePolicies(
  { policies = [], reusablePolicyRefs = [] }: Pick<ApplicationSpec, 'policies' | 'reusablePolicyRefs'>,
  ids: AccessIds,
  precedenceOf: (policy: string) => number | undefined,
): Result<ResolvedPolicies> {
  const given = [
    ...policies.map((policy, index) => ({ said: policy.precedence, from: index + 1, path: `spec.policies[${index}]` })),
    ...reusablePolicyRefs.map((ref, index) => ({
      said: ref.precedence ?? (ref.name ? precedenceOf(ref.name) : undefined),
      from: sharedFrom + index,
      path: `spec.reusablePolicyRefs[${index}]`,
    })),
  ];
  const places = toPlaces(given);
  if (!places.ok) return places;
  const own: ResolvedPolicies['own'][number][] = [];
  for (const [index, policy] of policies.entries()) {
    const made = toOwnPolicy(policy, index, places.value[index] ?? 0, ids);
    // What is missing is told once all has been asked for, so that everything is looked up at once.
    if (!made.ok && made.reason === 'Invalid') return made;
    if (made.ok) own.push({ ...made.value, name: uniqueName(made.value.name, own) });
  }
  const shared = reusablePolicyRefs.flatMap((ref, index) => {
    const id = ids.idOf('AccessPolicy', ref);
    return id.ok ? [{ id: id.value, precedence: places.value[policies.length + index] ?? 0, ref }] : [];
  });
  return { ok: true, value: { own, shared } };
}

type Wished = { readonly said: number | undefined; readonly from: number; readonly path: string };

/** Places that were asked for are taken first; the rest take the next free one. Two cannot have the same. */
function toPlaces(wished: readonly Wished[]): Result<readonly number[]> {
  const taken = new Map<number, string>();
  for (const { said, path } of wished) {
    if (said === undefined) continue;
    const other = taken.get(said);
    if (other) {
      return { ok: false, reason: 'Invalid', message: `${path}.precedence: ${said} is that of ${other} already` };
    }
    taken.set(said, path);
  }
  const places = wished.map(({ said, from, path }) => {
    if (said !== undefined) return said;
    let place = from;
    while (taken.has(place)) place += 1;
    taken.set(place, path);
    return place;
  });
  return { ok: true, value: places };
}

function toOwnPolicy(
  policy: PolicySpec,
  index: number,
  precedence: number,
  ids: AccessIds,
): Result<ResolvedPolicies['own'][number]> {
  const { include = [], exclude = [], require = [], decision, policyName, sessionDuration } = policy;
  const session = sessionDuration ? { sessionDuration } : {};
  const path = `spec.policies[${index}]`;
  if (include.length + exclude.length + require.length > 0) {
    const rules = toWireRules(policy, path, (ref) => ids.idOf('AccessIdentityProvider', ref));
    const name = policyName || `Inline Policy ${index + 1} - ${decision}`;
    return rules.ok ? { ok: true, value: { precedence, name, decision, ...rules.value, ...session } } : rules;
  }
  const group = toGroup(policy, path, ids);
  if (!group.ok) return group;
  const { groupId, groupName } = group.value;
  const name = policyName || `${groupName ?? `Policy ${index + 1}`} - ${decision}`;
  const rules = { include: [{ group: { id: groupId } }], exclude: [], require: [] };
  return { ok: true, value: { precedence, name, decision, ...rules, ...session, group: group.value } };
}

function toGroup(
  { name, groupId, cloudflareGroupName }: PolicySpec,
  path: string,
  ids: AccessIds,
): Result<ResolvedGroup> {
  if (groupId) return { ok: true, value: { groupId, source: 'groupId' } };
  if (!cloudflareGroupName && !name) {
    const message = `${path}: names neither rules (include) nor a group (name, groupId or cloudflareGroupName)`;
    return { ok: false, reason: 'Invalid', message };
  }
  const id = ids.idOf('AccessGroup', { name, cloudflareName: cloudflareGroupName });
  if (!id.ok) return id;
  const source = cloudflareGroupName ? 'cloudflareGroupName' : 'k8s';
  return { ok: true, value: { groupId: id.value, groupName: cloudflareGroupName || (name ?? ''), source } };
}

/** Policies of an application are told apart by their names. */
function uniqueName(name: string, others: readonly { readonly name: string }[]): string {
  const taken = new Set(others.map((other) => other.name));
  let made = name;
  for (let number = 2; taken.has(made); number += 1) made = `${name} (${number})`;
  return made;
}
