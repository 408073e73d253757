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

/** In which form a webhook is to be asked about a request; undefined when it is not to be asked at all. */
export async function chooseView(
  hook: Webhook,
  attributes: AdmissionAttributes,
  view: RequestView,
  { registry, hooks }: { readonly registry: Registry; readonly hooks: HookContext },
): Promise<RequestView | undefined> {
  const labels = namespaceLabels(hook, attributes, view, hooks);
  if (typeof labels === 'object' && !selectorMatches(hook.namespaceSelector, labels)) return undefined;
  if (!matchesObject(hook.objectSelector, view)) return undefined;
  const type = typeFor(hook, attributes, registry);
  if (type === undefined) return undefined;
  // A namespace that is not there is a fault only for a webhook that would otherwise be asked.
  if (labels === 'no namespace') throw notFound({ group: '', plural: 'namespaces' }, attributes.namespace ?? '');
  const chosen = await viewAs(registry, attributes, view, type);
  return meetsConditions(hook, attributes, chosen) ? chosen : undefined;
}

function typeFor(hook: Webhook, attributes: AdmissionAttributes, registry: Registry): ResourceType | undefined {
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
  { namespaceSelector }: Webhook,
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
