import type { AdmissionAttributes } from '../../registry/admission.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import type { WebhookRule } from './webhook-configuration.ts';

/** Whether a rule speaks of this request, when it is taken for one of the resource `type`. */
export function matchesRule(rule: WebhookRule, attributes: AdmissionAttributes, type: ResourceType): boolean {
  return (
    hasScope(rule.scope, attributes, type) &&
    namesObject(rule.resourceNames, attributes) &&
    includes(rule.operations, attributes.operation) &&
    includes(rule.apiGroups, type.group) &&
    includes(rule.apiVersions, type.version) &&
    (rule.resources ?? []).some((resource) => namesResource(resource, type.plural, attributes.subresource))
  );
}

function includes(items: readonly string[] = [], wanted: string): boolean {
  return items.includes('*') || items.includes(wanted);
}

function namesObject(names: readonly string[] = [], { name }: AdmissionAttributes): boolean {
  return names.length === 0 || names.includes(name);
}

function hasScope(scope = '*', { namespace = '' }: AdmissionAttributes, type: ResourceType): boolean {
  if (scope === '*') return true;
  // A request for a namespace carries its name as namespace, yet namespaces are of the cluster.
  const ofCluster = namespace === '' || (type.group === '' && type.plural === 'namespaces');
  return scope === 'Cluster' ? ofCluster : scope === 'Namespaced' && !ofCluster;
}

function namesResource(named: string, plural: string, subresource: string): boolean {
  const slash = named.indexOf('/');
  const resource = slash < 0 ? named : named.slice(0, slash);
  const below = slash < 0 ? '' : named.slice(slash + 1);
  return (resource === '*' || resource === plural) && (below === '*' || below === subresource);
}
