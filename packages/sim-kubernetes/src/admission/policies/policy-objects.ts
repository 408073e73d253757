import type { JsonObject, StoredObject } from '../../registry/json.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import type { Selection } from '../webhooks/choose-view.ts';
import type { MatchCondition, WebhookRule } from '../webhooks/webhook-configuration.ts';
import { webhookGroup } from '../webhooks/webhook-configuration.ts';

// ValidatingAdmissionPolicy and its bindings, as far as the server reads them. Defaults were filled when they were stored.

export type MatchResources = Omit<Selection, 'rules'> & {
  readonly resourceRules?: readonly WebhookRule[];
  readonly excludeResourceRules?: readonly WebhookRule[];
};

export type PolicyValidation = {
  readonly expression?: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: string;
};

export type PolicyVariable = { readonly name?: string; readonly expression?: string };

export type PolicySpec = {
  readonly paramKind?: { readonly apiVersion?: string; readonly kind?: string };
  readonly matchConstraints?: MatchResources;
  readonly matchConditions?: readonly MatchCondition[];
  readonly validations?: readonly PolicyValidation[];
  readonly auditAnnotations?: readonly { readonly key?: string; readonly valueExpression?: string }[];
  readonly variables?: readonly PolicyVariable[];
  readonly failurePolicy?: string;
};

export type ParamRef = {
  readonly name?: string;
  readonly namespace?: string;
  readonly selector?: JsonObject;
  readonly parameterNotFoundAction?: string;
};

export type BindingSpec = {
  readonly policyName?: string;
  readonly paramRef?: ParamRef;
  readonly matchResources?: MatchResources;
  readonly validationActions?: readonly string[];
};

export type PolicyBinding = { readonly name: string; readonly spec: BindingSpec };
export type BoundPolicy = {
  readonly name: string;
  readonly spec: PolicySpec;
  readonly bindings: readonly PolicyBinding[];
};

export const policies = { group: webhookGroup, plural: 'validatingadmissionpolicies' };
export const bindings = { group: webhookGroup, plural: 'validatingadmissionpolicybindings' };

const byName = (a: StoredObject, b: StoredObject): number => (a.metadata.name < b.metadata.name ? -1 : 1);

/** The policies that somebody has put into force, in the order of their names. */
export function boundPolicies({ list }: HookContext): readonly BoundPolicy[] {
  const known = list(policies.group, policies.plural);
  if (known.length === 0) return [];
  const bound = list(bindings.group, bindings.plural)
    .toSorted(byName)
    .map(({ metadata, spec }) => ({ name: metadata.name, spec: (spec ?? {}) as BindingSpec }));
  return known.toSorted(byName).flatMap(({ metadata: { name }, spec }) => {
    const own = bound.filter((binding) => binding.spec.policyName === name);
    return own.length === 0 ? [] : [{ name, spec: (spec ?? {}) as PolicySpec, bindings: own }];
  });
}
