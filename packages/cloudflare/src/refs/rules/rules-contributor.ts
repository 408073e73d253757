import type { Kind, KubeObject } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Contributor, View } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import { zoneRulesetContract } from '../../targets/zone-ruleset/contract.ts';
import type { ZoneRule } from '../../targets/zone-ruleset/contract.ts';
import { adoptWish } from '../adopt-wish.ts';
import type { Zone } from '../zone-of.ts';
import { zoneNamed } from './zone-named.ts';

/** What an object's rules are to the API, and what about them cannot be. */
export type RulesOf = { readonly rules: readonly ZoneRule[]; readonly problems: readonly string[] };

type RulesObject = KubeObject & {
  readonly spec: {
    readonly zone: string;
    readonly description?: string | undefined;
    readonly priority?: number | undefined;
    readonly credentialsRef?: { readonly name: string } | undefined;
  };
};

type Resolved = { readonly zone: Zone; readonly rules: readonly ZoneRule[] };

export type RulesKind<T extends RulesObject> = {
  readonly kind: Kind<T>;
  /** Left by earlier operators. */
  readonly formerFinalizer: string;
  readonly phaseOf: (spec: T['spec']) => string;
  readonly rulesOf: (spec: T['spec']) => RulesOf;
};

/** A kind whose objects want rules in one phase of a zone. All such kinds share what is there. */
export function rulesContributor<T extends RulesObject>(of: RulesKind<T>): Contributor<T, Resolved> {
  return defineContributor<T, Resolved>({
    kind: of.kind,
    finalizer: `${of.kind.kind.toLowerCase()}.cloudflare-operator.io/finalizer`,
    formerFinalizers: [of.formerFinalizer],
    resolve: ({ metadata, spec }, refs) => {
      const { rules, problems } = of.rulesOf(spec);
      if (problems.length > 0) {
        return { ok: false, state: 'broken', reason: 'InvalidConfig', message: problems.join('; ') };
      }
      const zone = zoneNamed(refs, spec, metadata.namespace);
      return zone.ok ? { ok: true, value: { zone: zone.value, rules } } : zone;
    },
    contribute: ({ metadata, spec }, { zone, rules }) => {
      const { accountId, zoneId, credentials } = zone;
      const { description, priority } = spec;
      const config = { ...(description && { description }), rules: [...rules], ...adoptWish(metadata) };
      const key = { accountId, zoneId, phase: of.phaseOf(spec) };
      return [contribution(zoneRulesetContract, key, config, { credentials, priority })];
    },
    status: (_object, view) => toStatus(view),
    ready: { synced: 'Synced', pending: 'Pending', failed: 'ReconcileError' },
  });
}

function toStatus(view: View): Readonly<Record<string, unknown>> {
  const [part] = view.parts;
  const { rulesetId, rulesetVersion, lastUpdated } = part?.outputs ?? {};
  return {
    state: stateOf(view),
    message: view.ready.message,
    ...(part && { zoneId: part.contribution.syncState.zoneId }),
    ...(part?.synced && {
      rulesetId,
      rulesetVersion,
      lastUpdated,
      ruleCount: (part.contribution.config['rules'] as readonly unknown[]).length - view.losses.length,
    }),
  };
}

function stateOf({ state, parts, losses }: View): string {
  if (state === 'Error' || losses.length > 0) return 'Error';
  if (state === 'Synced') return 'Ready';
  return parts.length > 0 ? 'Syncing' : 'Pending';
}
