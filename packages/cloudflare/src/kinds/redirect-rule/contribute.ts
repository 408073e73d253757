import { rulesContributor } from '../../refs/rules/rules-contributor.ts';
import type { RulesOf } from '../../refs/rules/rules-contributor.ts';
import { hasCaptures, matchExpression, replaceExpression, toPatterns } from '../../refs/rules/wildcard-expression.ts';
import type { ZoneRule } from '../../targets/zone-ruleset/contract.ts';
import { redirectRuleKind } from './resource.ts';
import type { RedirectRule } from './resource.ts';

type Spec = RedirectRule['spec'];
type ExpressionRule = NonNullable<Spec['rules']>[number];
type WildcardRule = NonNullable<Spec['wildcardRules']>[number];
type Redirect = Pick<WildcardRule, 'enabled' | 'statusCode' | 'preserveQueryString'>;
type Target = { readonly value: string } | { readonly expression: string };

export const redirectRuleContributor = rulesContributor<RedirectRule>({
  kind: redirectRuleKind,
  formerFinalizer: 'cloudflare.com/redirect-rule-finalizer',
  phaseOf: () => 'http_request_dynamic_redirect',
  rulesOf: toRules,
});

export function toRules({ rules = [], wildcardRules = [] }: Spec): RulesOf {
  return {
    rules: [...rules.map(byExpression), ...wildcardRules.flatMap(byWildcard)],
    problems: [
      ...(rules.length + wildcardRules.length === 0 ? ['spec.rules: there is no rule, and no wildcard rule'] : []),
      ...rules.flatMap(({ target }, index) =>
        Boolean(target.url) === Boolean(target.expression)
          ? [`spec.rules[${index}].target: one of url and expression must be given, and not both`]
          : [],
      ),
    ],
  };
}

function byExpression(rule: ExpressionRule): ZoneRule {
  const { url, expression = '' } = rule.target;
  return redirect(rule.name, rule.expression, url ? { value: url } : { expression }, rule);
}

/** Where the target takes over parts of the address, each pattern counts its parts in its own way and is a rule. */
function byWildcard(rule: WildcardRule): readonly ZoneRule[] {
  const { name, targetUrl } = rule;
  const patterns = toPatterns(rule);
  if (!hasCaptures(targetUrl)) return [redirect(name, matchExpression(patterns), { value: targetUrl }, rule)];
  return patterns.map((pattern, shift) => {
    const target = { expression: replaceExpression(pattern, targetUrl, shift) };
    return redirect(shift === 0 ? name : `${name} (subdomains)`, matchExpression([pattern]), target, rule);
  });
}

function redirect(name: string, expression: string, target: Target, rule: Redirect): ZoneRule {
  const { enabled, statusCode, preserveQueryString } = rule;
  return {
    description: name,
    expression,
    action: 'redirect',
    enabled,
    action_parameters: {
      from_value: { target_url: target, status_code: statusCode, preserve_query_string: preserveQueryString },
    },
  };
}
