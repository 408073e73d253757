import type { Authorizer } from '../../auth/authorizer.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../registry/admission.ts';
import { ApiError, forbidden } from '../../registry/api-error.ts';
import type { JsonObject } from '../../registry/json.ts';
import type { Registry } from '../../registry/registry.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { goJsonInOrder } from '../../schema/go-format.ts';
import { expressionVariables } from '../expression-variables.ts';
import { selectView } from '../webhooks/choose-view.ts';
import type { ViewDeps } from '../webhooks/choose-view.ts';
import { matchesRule } from '../webhooks/matches-rule.ts';
import { ownView } from '../webhooks/request-view.ts';
import type { RequestView } from '../webhooks/request-view.ts';
import { collectParams, ParamProblem } from './collect-params.ts';
import { evaluatePolicy } from './evaluate-policy.ts';
import type { Denial, PolicyResult } from './evaluate-policy.ts';
import { bindings, boundPolicies, policies } from './policy-objects.ts';
import type { BoundPolicy, MatchResources, PolicyBinding } from './policy-objects.ts';

export type PolicyDeps = { readonly registry: Registry; readonly authorizer: Authorizer };

/** ValidatingAdmissionPolicy: expressions of the cluster's own about requests, with no webhook to ask. */
export function createValidatingPolicies({ registry, authorizer }: PolicyDeps): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionPolicy',
    validate: (attributes, hooks) => {
      const { group, plural } = attributes.type;
      // What says which policies there are cannot be held up by one of them.
      if (group === policies.group && (plural === policies.plural || plural === bindings.plural)) return undefined;
      const bound = boundPolicies(hooks);
      return bound.length === 0 ? undefined : judge(bound, attributes, { registry, authorizer, hooks });
    },
  };
}

type Deps = PolicyDeps & { readonly hooks: HookContext };

/** A denial with the policy and the binding that it comes from. */
type Refusal = { readonly by: string; readonly denial: Denial };

async function judge(bound: readonly BoundPolicy[], attributes: AdmissionAttributes, deps: Deps): Promise<void> {
  const refusals: Refusal[] = [];
  for (const policy of bound) {
    const view = await matched(policy.spec.matchConstraints, attributes, ownView(attributes), deps);
    if (view === undefined) continue;
    const noted = new Map<string, string[]>();
    for (const binding of policy.bindings) {
      const { matchResources } = binding.spec;
      const rules = matchResources?.resourceRules ?? [];
      const chosen = { ...matchResources, resourceRules: rules.length === 0 ? everything : rules };
      if (matchResources !== undefined && !(await matched(chosen, attributes, view, deps))) continue;
      refusals.push(...judgeBinding(policy, binding, attributes, view, deps, noted));
    }
    for (const [key, values] of noted) attributes.annotate?.(`${policy.name}/${key}`, values.join(', '));
  }
  const [first] = refusals;
  if (first !== undefined) throw refusalError(attributes, first);
}

const everything = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'], scope: '*' }];

async function matched(
  match: MatchResources | undefined,
  attributes: AdmissionAttributes,
  view: RequestView,
  deps: ViewDeps,
): Promise<RequestView | undefined> {
  const { resourceRules = [], excludeResourceRules = [], ...selection } = match ?? {};
  if (excludeResourceRules.some((rule) => matchesRule(rule, attributes, attributes.type))) return undefined;
  return selectView({ ...selection, rules: resourceRules }, attributes, view, deps);
}

function judgeBinding(
  policy: BoundPolicy,
  binding: PolicyBinding,
  attributes: AdmissionAttributes,
  view: RequestView,
  deps: Deps,
  noted: Map<string, string[]>,
): readonly Refusal[] {
  const by = `ValidatingAdmissionPolicy '${policy.name}' with binding '${binding.name}'`;
  let results: readonly PolicyResult[];
  try {
    const params = collectParams(policy.spec, binding.spec.paramRef, attributes.namespace ?? '', deps);
    const variables = expressionVariables(attributes, view, deps.authorizer);
    const namespace = namespaceOf(attributes, deps.hooks);
    results = params.map((param) => evaluatePolicy(policy.spec, variables, param, namespace));
  } catch (error) {
    if (!(error instanceof ParamProblem)) throw error;
    if (policy.spec.failurePolicy === 'Ignore') return [];
    const message = `failed to configure binding: ${error.message}`;
    return [{ by, denial: { message, reason: 'Invalid', index: 0 } }];
  }
  for (const { key, value } of results.flatMap(({ annotations }) => annotations)) {
    const known = noted.get(key) ?? [];
    if (!known.includes(value)) noted.set(key, [...known, value]);
  }
  return results.flatMap(({ denials }) => denials).flatMap((denial) => act(policy, binding, attributes, by, denial));
}

/** Denies, warns and notes, as the binding has it. */
function act(
  { name: policy }: BoundPolicy,
  { name, spec }: PolicyBinding,
  { annotate, warn }: AdmissionAttributes,
  by: string,
  denial: Denial,
): readonly Refusal[] {
  const { validationActions = [] } = spec;
  const { message, index: expressionIndex } = denial;
  if (validationActions.includes('Warn')) warn(`Validation failed for ${by}: ${message}`);
  if (validationActions.includes('Audit')) {
    const failure = { message, policy, binding: name, expressionIndex, validationActions };
    annotate?.('validation.policy.admission.k8s.io/validation_failure', goJsonInOrder([failure]));
  }
  return validationActions.includes('Deny') ? [{ by, denial }] : [];
}

function namespaceOf({ type, namespace = '' }: AdmissionAttributes, hooks: HookContext): JsonObject | null {
  const isNamespace = type.group === '' && type.plural === 'namespaces';
  if (isNamespace || namespace === '') return null;
  return hooks.get('', 'namespaces', undefined, namespace) ?? null;
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

function refusalError({ type, name }: AdmissionAttributes, { by, denial }: Refusal): ApiError {
  const message = `${by} denied request: ${denial.message}`;
  const { message: text, details = {} } = forbidden(type, name, message);
  return new ApiError(codes[denial.reason] ?? 422, denial.reason, text, {
    details: { ...details, causes: [{ message }] },
  });
}
