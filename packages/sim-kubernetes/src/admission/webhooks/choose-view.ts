import type { Authorizer } from '../../auth/authorizer.ts';
import type { AdmissionAttributes } from '../../registry/admission.ts';
import { notFound } from '../../registry/api-error.ts';
import type { JsonObject } from '../../registry/json.ts';
import type { Registry } from '../../registry/registry.ts';
import type { HookContext, ResourceType } from '../../registry/resource-type.ts';
import { child, items, textMap } from '../../kinds/draft-fields.ts';
import { selectorMatches } from '../../kinds/validation/field-checks.ts';
import { meetsConditions } from './match-conditions.ts';
import { matchesRule } from './matches-rule.ts';
import { equivalents, viewAs } from './request-view.ts';
import type { RequestView } from './request-view.ts';
import type { Webhook } from './webhook-configuration.ts';

/** Which requests somebody wants to see. */
export type Selection = Pick<Webhook, 'rules' | 'matchPolicy' | 'namespaceSelector' | 'objectSelector'>;

export type ViewDeps = { readonly registry: Registry; readonly hooks: HookContext };

/** In which form a webhook is to be asked about a request; undefined when it is not to be asked at all. */
export async function chooseView(
  hook: Webhook,
  attributes: AdmissionAttributes,
  view: RequestView,
  deps: ViewDeps & { readonly authorizer: Authorizer },
): Promise<RequestView | undefined> {
  const chosen = await selectView(hook, attributes, view, deps);
  return chosen !== undefined && meetsConditions(hook, attributes, chosen, deps.authorizer) ? chosen : undefined;
}

/** In which form a request is among those that are wanted; undefined when it is not. */
export async function selectView(
  selection: Selection,
  attributes: AdmissionAttributes,
  view: RequestView,
  { registry, hooks }: ViewDeps,
): Promise<RequestView | undefined> {
  const labels = namespaceLabels(selection, attributes, view, hooks);
  if (typeof labels === 'object' && !selectorMatches(selection.namespaceSelector, labels)) return undefined;
  if (!matchesObject(selection.objectSelector, view)) return undefined;
  const type = typeFor(selection, attributes, registry);
  if (type === undefined) return undefined;
  // A namespace that is not there is a fault only for a webhook that would otherwise be asked.
  if (labels === 'no namespace') throw notFound({ group: '', plural: 'namespaces' }, attributes.namespace ?? '');
  return viewAs(registry, attributes, view, type);
}

function typeFor(hook: Selection, attributes: AdmissionAttributes, registry: Registry): ResourceType | undefined {
  const rules = hook.rules ?? [];
  if (rules.some((rule) => matchesRule(rule, attributes, attributes.type))) return attributes.type;
  if (hook.matchPolicy !== 'Equivalent') return undefined;
  const others = equivalents(registry, attributes);
  for (const rule of rules) {
    const found = others.find((other) => matchesRule(rule, attributes, other));
    if (found !== undefined) return found;
  }
  return undefined;
}

type Labels = Readonly<Record<string, string>>;

/** The labels that the namespace selector looks at; undefined when it has nothing to look at and so lets pass. */
function namespaceLabels(
  { namespaceSelector }: Selection,
  { type, subresource, operation, namespace = '' }: AdmissionAttributes,
  view: RequestView,
  hooks: HookContext,
): Labels | 'no namespace' | undefined {
  const ofNamespaces = type.plural === 'namespaces';
  if ((namespace === '' && !ofNamespaces) || isEmpty(namespaceSelector)) return undefined;
  if (ofNamespaces && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE')) {
    return labelsOf(view.object);
  }
  const found = hooks.get('', 'namespaces', undefined, namespace);
  return found === undefined ? 'no namespace' : (found.metadata.labels ?? {});
}

/** The object before or after is enough; what has neither, such as a connection, is not chosen by labels. */
function matchesObject(selector: JsonObject | undefined, { object, old }: RequestView): boolean {
  if (isEmpty(selector)) return true;
  return [object, old].some((one) => one !== undefined && selectorMatches(selector, labelsOf(one)));
}

function isEmpty(selector: JsonObject | undefined): boolean {
  const labels = Object.keys(child(selector, 'matchLabels')).length;
  return labels === 0 && items(selector, 'matchExpressions').length === 0;
}

function labelsOf(object: JsonObject | undefined): Labels {
  return textMap(child(object, 'metadata'), 'labels');
}
