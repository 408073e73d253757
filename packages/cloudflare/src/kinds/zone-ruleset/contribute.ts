import { rulesContributor } from '../../refs/rules/rules-contributor.ts';
import type { RulesOf } from '../../refs/rules/rules-contributor.ts';
import { toSnakeCase } from '../../refs/snake-case.ts';
import type { ZoneRule } from '../../targets/zone-ruleset/contract.ts';
import { actionParametersOf, narrowed, parameterProblems } from './action-parameters.ts';
import { zoneRulesetKind } from './resource.ts';
import type { ZoneRuleset } from './resource.ts';

type Spec = ZoneRuleset['spec'];

export const zoneRulesetContributor = rulesContributor<ZoneRuleset>({
  kind: zoneRulesetKind,
  formerFinalizer: 'cloudflare.com/zone-ruleset-finalizer',
  phaseOf: ({ phase }) => phase,
  rulesOf: toRules,
});

export function toRules({ phase, rules }: Spec): RulesOf {
  const problems = rules.flatMap(({ actionParameters = {} }, index) =>
    parameterProblems(actionParameters).map((problem) => `spec.rules[${index}].actionParameters.${problem}`),
  );
  return { rules: rules.map(toRule), problems: [...phaseProblems(phase), ...problems] };
}

function phaseProblems(phase: Spec['phase']): readonly string[] {
  if (phase !== 'http_request_redirect') return [];
  return ['spec.phase: http_request_redirect is for the lists of an account; a zone has http_request_dynamic_redirect'];
}

function toRule({ ref, description, expression, action, actionParameters, enabled, rateLimit }: Spec['rules'][number]) {
  const parameters = actionParameters && actionParametersOf(action, actionParameters);
  const rule: ZoneRule = {
    ...(ref && { ref }),
    ...(description && { description }),
    expression: narrowed(expression, actionParameters?.redirect),
    action,
    enabled,
    ...(parameters && { action_parameters: parameters }),
    ...(rateLimit && { ratelimit: toSnakeCase(rateLimit) as NonNullable<ZoneRule['ratelimit']> }),
  };
  return rule;
}
