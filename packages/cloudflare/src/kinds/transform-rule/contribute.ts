import { rulesContributor } from '../../refs/rules/rules-contributor.ts';
import type { RulesOf } from '../../refs/rules/rules-contributor.ts';
import type { ZoneRule } from '../../targets/zone-ruleset/contract.ts';
import { transformRuleKind } from './resource.ts';
import type { TransformRule } from './resource.ts';

type Spec = TransformRule['spec'];
type Rule = Spec['rules'][number];
type Header = NonNullable<Rule['headers']>[number];
type Part = NonNullable<Rule['urlRewrite']>['path'];

const phases: Readonly<Record<Spec['type'], string>> = {
  url_rewrite: 'http_request_transform',
  request_header: 'http_request_late_transform',
  response_header: 'http_response_headers_transform',
};

export const transformRuleContributor = rulesContributor<TransformRule>({
  kind: transformRuleKind,
  formerFinalizer: 'cloudflare.com/transform-rule-finalizer',
  phaseOf: ({ type }) => phases[type],
  rulesOf: toRules,
});

export function toRules({ type, rules }: Spec): RulesOf {
  return {
    rules: rules.map((rule) => toRule(type, rule)),
    problems: rules.flatMap((rule, index) =>
      problemsOf(type, rule).map((problem) => `spec.rules[${index}].${problem}`),
    ),
  };
}

function toRule(type: Spec['type'], { name, expression, enabled, urlRewrite, headers = [] }: Rule): ZoneRule {
  const uri = { ...toPart('path', urlRewrite?.path), ...toPart('query', urlRewrite?.query) };
  const changes = Object.fromEntries(headers.map((header) => [header.name, toOperation(header)]));
  const parameters = type === 'url_rewrite' ? { uri } : { headers: changes };
  return { description: name, expression, action: 'rewrite', enabled, action_parameters: parameters };
}

function toPart(name: 'path' | 'query', part: Part): object {
  if (!part) return {};
  return { [name]: part.expression ? { expression: part.expression } : { value: part.static ?? '' } };
}

function toOperation({ operation, value, expression }: Header): object {
  if (operation === 'remove') return { operation };
  return expression ? { operation, expression } : { operation, value: value ?? '' };
}

/** What would be left out in silence, or mean two things. */
function problemsOf(type: Spec['type'], { urlRewrite, headers = [] }: Rule): readonly string[] {
  if (type === 'url_rewrite') {
    const parts = [urlRewrite?.path, urlRewrite?.query];
    return [
      ...(headers.length > 0 ? ['headers: not for type url_rewrite'] : []),
      ...(parts.every((part) => part === undefined) ? ['urlRewrite: path or query must be given'] : []),
      ...(['path', 'query'] as const).flatMap((name) => partProblems(name, urlRewrite?.[name])),
    ];
  }
  return [
    ...(urlRewrite ? [`urlRewrite: not for type ${type}`] : []),
    ...(headers.length === 0 ? [`headers: must be given for type ${type}`] : []),
    ...headers.flatMap((header, index) => headerProblems(header, headers.slice(0, index), index)),
  ];
}

function partProblems(name: string, part: Part): readonly string[] {
  if (!part) return [];
  if (part.static !== undefined && part.expression) return [`urlRewrite.${name}: static and expression are both given`];
  const isEmpty = name === 'path' ? !part.static && !part.expression : part.static === undefined && !part.expression;
  return isEmpty ? [`urlRewrite.${name}: static or expression must be given`] : [];
}

function headerProblems(header: Header, before: readonly Header[], index: number): readonly string[] {
  const { name, operation, value, expression } = header;
  const at = `headers[${index}]`;
  const isTwice = before.some((other) => other.name.toLowerCase() === name.toLowerCase());
  const given = [value, expression].filter((each) => each !== undefined && each !== '').length;
  return [
    ...(isTwice ? [`${at}.name: ${name} is in the list already`] : []),
    ...(operation === 'remove' && given > 0 ? [`${at}: a header that is removed has no value`] : []),
    ...(operation !== 'remove' && given !== 1
      ? [`${at}: one of value and expression must be given, and not both`]
      : []),
  ];
}
