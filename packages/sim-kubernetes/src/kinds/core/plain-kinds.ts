import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, StoredObject } from '../../registry/json.ts';
import { sameJson } from '../../registry/same-json.ts';
import { invalidField, requiredField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { child, count, ensureChild, items, maybeChild, text, textMap } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkNotNegative, checkOneOf, checkPort, checkRequiredLabel, protocols } from '../validation/field-checks.ts';
import { validatePodTemplate } from '../validation/validate-pod-template.ts';

const inCore = { group: '', version: 'v1' } as const;

/** The kinds of core/v1 that need little of their own. */
export const plainKinds: readonly BuiltinKind[] = [
  // Never stored: see subresources/binding.ts.
  { ...inCore, kind: 'Binding', strategy: { noGeneration: true } },
  {
    ...inCore,
    kind: 'Endpoints',
    deprecationWarning: 'v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
    strategy: {
      noGeneration: true,
      allowsCreateOnUpdate: true,
      validate: (object) =>
        items(object, 'subsets').flatMap((subset, index) => validateSubset(subset, `subsets[${index}]`)),
    },
  },
  { ...inCore, kind: 'ServiceAccount', strategy: { noGeneration: true } },
  {
    ...inCore,
    kind: 'LimitRange',
    strategy: {
      noGeneration: true,
      allowsCreateOnUpdate: true,
      // Who gives no name gets one.
      prepareForCreate: (draft, { uuid }) => {
        const metadata = ensureChild(draft, 'metadata');
        if (text(metadata, 'name') === '') metadata['name'] = uuid();
      },
    },
  },
  { ...inCore, kind: 'ResourceQuota', strategy: { noGeneration: true } },
  {
    ...inCore,
    kind: 'PodTemplate',
    strategy: {
      generationChanged: (next, old) => !sameJson(next['template'], old['template']),
      validate: (object) => validatePodTemplate(child(object, 'template'), 'template'),
    },
  },
  {
    ...inCore,
    kind: 'ReplicationController',
    scale: {
      specReplicasPath: '.spec.replicas',
      statusReplicasPath: '.status.replicas',
      labelSelectorPath: '.spec.selector',
    },
    strategy: {
      defaultPropagation: 'Orphan',
      generationChanged: specChanged,
      fieldLabels: (object) => ({ 'status.replicas': String(count(child(object, 'status'), 'replicas')) }),
      validate: (object) => validateController(child(object, 'spec')),
    },
  },
];

/** Most kinds with a generation count the changes of their spec. */
export function specChanged(next: StoredObject | Record<string, unknown>, old: StoredObject): boolean {
  return !sameJson((next as Draft)['spec'], old['spec']);
}

function validateSubset(subset: Draft, path: string): Errors {
  const addresses = [...items(subset, 'addresses'), ...items(subset, 'notReadyAddresses')];
  const ports = items(subset, 'ports');
  const errors: FieldError[] = [];
  if (addresses.length === 0) errors.push(requiredField(path, 'must specify `addresses` or `notReadyAddresses`'));
  for (const [index, address] of items(subset, 'addresses').entries()) {
    const ip = text(address, 'ip');
    const at = `${path}.addresses[${index}].ip`;
    if (!/^[0-9a-fA-F:.]+$/.test(ip)) errors.push(invalidField(at, ip, 'must be a valid IP address'));
    else if (ip.startsWith('127.') || ip === '::1') {
      errors.push(invalidField(at, ip, 'may not be in the loopback range (127.0.0.0/8, ::1/128)'));
    }
  }
  for (const [index, port] of ports.entries()) {
    const at = `${path}.ports[${index}]`;
    const name = text(port, 'name');
    if (name === '' && ports.length > 1) errors.push(requiredField(`${at}.name`));
    else if (name !== '') errors.push(...checkRequiredLabel(name, `${at}.name`));
    errors.push(...checkPort(port['port'], `${at}.port`));
    errors.push(...checkOneOf(text(port, 'protocol'), `${at}.protocol`, protocols));
  }
  return errors;
}

function validateController(spec: Draft): Errors {
  const selector = textMap(spec, 'selector');
  const template = maybeChild(spec, 'template');
  const errors: FieldError[] = [...checkNotNegative(spec['replicas'], 'spec.replicas')];
  if (Object.keys(selector).length === 0) errors.push(requiredField('spec.selector'));
  if (template === undefined) return [...errors, requiredField('spec.template')];
  const labels = textMap(child(template, 'metadata'), 'labels');
  if (Object.entries(selector).some(([key, value]) => labels[key] !== value)) {
    errors.push(invalidField('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  }
  return [...errors, ...validatePodTemplate(template, 'spec.template')];
}
