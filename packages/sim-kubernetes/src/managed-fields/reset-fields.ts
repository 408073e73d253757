// What a write to one part of an object puts back, and so cannot come to own: `status` when the object itself is
// written, `spec` when its status is.
import { apiVersionOf } from '../registry/convert.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { isMember, recursiveDifference, setOf } from './field-set.ts';

export type FieldFilter = (fields: FieldSet) => FieldSet;

const keepAll: FieldFilter = (fields) => fields;
const status = setOf(['status']);
const spec = setOf(['spec']);

/** Where it is more than the general rule, by resource and subresource. */
const particular: Readonly<Record<string, FieldSet>> = {
  'certificates.k8s.io/certificatesigningrequests': setOf(['spec'], ['status']),
  'certificates.k8s.io/certificatesigningrequests/status': setOf(['spec'], ['status', 'conditions']),
  'certificates.k8s.io/certificatesigningrequests/approval': setOf(['spec'], ['status', 'certificate']),
  'apps/deployments/status': setOf(['spec'], ['metadata', 'labels']),
  '/pods/status': setOf(['spec'], ['metadata', 'deletionTimestamp'], ['metadata', 'ownerReferences']),
  'storage.k8s.io/volumeattachments/status': setOf(['spec'], ['metadata']),
  'networking.k8s.io/servicecidrs/status': setOf(['spec'], ['metadata']),
  'flowcontrol.apiserver.k8s.io/flowschemas/status': setOf(['spec'], ['metadata']),
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations/status': setOf(['spec'], ['metadata']),
  'admissionregistration.k8s.io/validatingadmissionpolicies/status': setOf(['spec'], ['metadata']),
  '/namespaces/finalize': status,
};

/** Parts of an object that are the only ones that a subresource writes; `*` stands for every item. */
const exclusive: Readonly<Record<string, readonly (readonly string[])[]>> = {
  '/pods/ephemeralcontainers': [['f:spec', 'f:ephemeralContainers']],
  '/pods/resize': ['f:containers', 'f:initContainers'].flatMap((list) => [
    ['f:spec', list, '*', 'f:resources'],
    ['f:spec', list, '*', 'f:resizePolicy'],
  ]),
};

const ofCustomStatus = setOf(['metadata'], ['spec']);

/** What of a set of fields may be owned by a write to this subresource. */
export function fieldFilter(type: ResourceType, subresource: string, apiVersion: string): FieldFilter {
  const place = `${type.group}/${type.plural}${subresource === '' ? '' : `/${subresource}`}`;
  const only = type.origin === 'builtin' ? exclusive[place] : undefined;
  if (only !== undefined) return (fields) => matching(fields, only);
  const reset = resetFields(type, place, subresource, apiVersion);
  return reset === undefined ? keepAll : (fields) => recursiveDifference(fields, reset);
}

function resetFields(type: ResourceType, place: string, subresource: string, apiVersion: string): FieldSet | undefined {
  if (type.origin === 'custom') {
    if (subresource === 'status') return ofCustomStatus;
    return subresource === '' && type.hasStatus && apiVersion === apiVersionOf(type) ? status : undefined;
  }
  const own = particular[place];
  if (own !== undefined) return own;
  if (subresource === 'status') return spec;
  return subresource === '' && type.hasStatus ? status : undefined;
}

function matching(fields: FieldSet, patterns: readonly (readonly string[])[]): FieldSet {
  const result: FieldSetDraft = {};
  for (const [element, node] of Object.entries(fields)) {
    const rest = patterns.filter(([first]) => first === '*' || first === element).map((pattern) => pattern.slice(1));
    if (element === '.' || rest.length === 0) continue;
    if (rest.some((pattern) => pattern.length === 0)) result[element] = node;
    else {
      const below = matching(node, rest);
      if (isMember(node)) result[element] = { '.': {}, ...below };
      else if (Object.keys(below).length > 0) result[element] = below;
    }
  }
  return result;
}
