import { matchExpression, toPatterns } from '../../refs/rules/wildcard-expression.ts';
import { toSnakeCase } from '../../refs/snake-case.ts';
import { cacheProblems, toCacheParameters } from './cache-settings.ts';
import type { ZoneRuleset } from './resource.ts';

type Rule = ZoneRuleset['spec']['rules'][number];
type Parameters = NonNullable<Rule['actionParameters']>;
type Redirect = Parameters['redirect'];

/** As the API has them, which depends on the action for some. */
export function actionParametersOf(action: Rule['action'], parameters: Parameters): Readonly<Record<string, unknown>> {
  const { uri, headers, redirect, origin, cache, products, phases, rules, ruleset, response, algorithms } = parameters;
  const answer = response && (toSnakeCase(response) as object);
  const wire = {
    uri,
    headers,
    from_value: redirect && toFromValue(redirect),
    origin,
    ...(cache && toCacheParameters(cache)),
    products,
    phases,
    rules,
    ...(ruleset && rulesetOf(action, ruleset)),
    ...(action === 'serve_error' ? answer : { response: answer }),
    algorithms,
  };
  return Object.fromEntries(Object.entries(wire).filter(([, value]) => value !== undefined));
}

/** A redirect applies to what its expression and its source say, if it has one. */
export function narrowed(expression: string, redirect: Redirect): string {
  if (!redirect?.sourceUrl) return expression;
  const source = { ...redirect, sourceUrl: redirect.sourceUrl };
  return `(${expression}) and (${matchExpression(toPatterns(source))})`;
}

export function parameterProblems({ redirect, cache }: Parameters): readonly string[] {
  const isAimless = redirect && !redirect.sourceUrl && (redirect.includeSubdomains || redirect.subpathMatching);
  return [
    ...(isAimless ? ['redirect.sourceUrl: needed by includeSubdomains and subpathMatching'] : []),
    ...(cache ? cacheProblems(cache).map((problem) => `cache.${problem}`) : []),
  ];
}

function toFromValue({ targetUrl, statusCode, preserveQueryString }: NonNullable<Redirect>): unknown {
  return toSnakeCase({ targetUrl, statusCode, preserveQueryString });
}

function rulesetOf(action: Rule['action'], ruleset: string): object {
  if (action !== 'skip') return { id: ruleset };
  return ruleset === 'current' ? { ruleset } : { rulesets: [ruleset] };
}
