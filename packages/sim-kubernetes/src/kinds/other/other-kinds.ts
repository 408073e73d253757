import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject } from '../../registry/json.ts';
import { pathSegmentName } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import { forbiddenField, invalidField, requiredField, Verbatim } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { specChanged } from '../core/plain-kinds.ts';
import { child, count, ensureChild, flag, items, maybeNumber, text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkLabelSelector, checkOneOf, checkSame } from '../validation/field-checks.ts';

export const podDisruptionBudget: BuiltinKind = {
  group: 'policy',
  version: 'v1',
  kind: 'PodDisruptionBudget',
  strategy: {
    generationChanged: specChanged,
    allowsUnconditionalUpdate: false,
    // Its metadata is not looked at.
    checkName: pathSegmentName,
    validate: (object) => {
      const spec = child(object, 'spec');
      const both = spec['minAvailable'] !== undefined && spec['maxUnavailable'] !== undefined;
      return [
        ...(both ? [invalidField('spec', asInternal(spec), 'minAvailable and maxUnavailable cannot be both set')] : []),
        ...checkLabelSelector(child(spec, 'selector'), 'spec.selector'),
      ];
    },
  },
};

/** The server prints its own structure here, not that of the API. */
function asInternal(spec: Draft): Verbatim {
  const { minAvailable, selector = null, maxUnavailable, unhealthyPodEvictionPolicy = null } = spec;
  const fields = {
    MinAvailable: minAvailable,
    Selector: selector,
    MaxUnavailable: maxUnavailable,
    UnhealthyPodEvictionPolicy: unhealthyPodEvictionPolicy,
  };
  return new Verbatim(JSON.stringify(fields));
}

export const priorityClass: BuiltinKind = {
  group: 'scheduling.k8s.io',
  version: 'v1',
  kind: 'PriorityClass',
  strategy: {
    generationChanged: () => false,
    validate: (object) => [
      ...validatePriorityClass(object),
      ...checkOneOf(text(object, 'preemptionPolicy'), 'preemptionPolicy', ['PreemptLowerPriority', 'Never']),
    ],
    validateUpdate: (next, old) => [
      ...(count(next, 'value') === count(old, 'value')
        ? []
        : [forbiddenField('value', 'may not be changed in an update.')]),
      ...checkSame(next['preemptionPolicy'], old['preemptionPolicy'], 'preemptionPolicy'),
    ],
  },
};

const systemClass = (name: string, value: number, description: string): JsonObject => ({
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name },
  value,
  description,
  preemptionPolicy: 'PreemptLowerPriority',
});

/** The two classes that every cluster has. */
export const systemPriorityClasses: readonly JsonObject[] = [
  systemClass(
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ),
  systemClass(
    'system-node-critical',
    2_000_001_000,
    'Used for system critical pods that must not be moved from their current node.',
  ),
];

const highestUserPriority = 1_000_000_000;

function validatePriorityClass(object: JsonObject): Errors {
  const name = text(child(object, 'metadata'), 'name');
  if (name.startsWith('system-')) {
    const known = systemPriorityClasses.find((found) => text(child(found, 'metadata'), 'name') === name);
    if (known !== undefined && known['value'] === object['value'] && !flag(object, 'globalDefault')) return [];
    const cause =
      known === undefined ? `${name} is not a known system priority class` : 'value or globalDefault differ';
    return [
      forbiddenField(
        'metadata.name',
        `priority class names with 'system-' prefix are reserved for system use only. error: ${cause}`,
      ),
    ];
  }
  if (count(object, 'value') <= highestUserPriority) return [];
  return [forbiddenField('value', `maximum allowed value of a user defined priority is ${highestUserPriority}`)];
}

export const lease: BuiltinKind = {
  group: 'coordination.k8s.io',
  version: 'v1',
  kind: 'Lease',
  strategy: {
    noGeneration: true,
    allowsCreateOnUpdate: true,
    allowsUnconditionalUpdate: false,
    validate: (object) => {
      const spec = child(object, 'spec');
      const [duration, transitions] = [
        maybeNumber(spec, 'leaseDurationSeconds'),
        maybeNumber(spec, 'leaseTransitions'),
      ];
      const errors: FieldError[] = [];
      if (duration !== undefined && duration <= 0) {
        errors.push(invalidField('spec.leaseDurationSeconds', duration, 'must be greater than 0'));
      }
      if (transitions !== undefined && transitions < 0) {
        errors.push(invalidField('spec.leaseTransitions', transitions, 'must be greater than or equal to 0'));
      }
      return errors;
    },
  },
};

function wantedOf({ metadata, kind: _kind, apiVersion: _version, ...rest }: JsonObject): JsonObject {
  return { ...rest, labels: (child({ metadata }, 'metadata')['labels'] ?? {}) as JsonObject };
}

export const endpointSlice: BuiltinKind = {
  group: 'discovery.k8s.io',
  version: 'v1',
  kind: 'EndpointSlice',
  strategy: {
    // What is wanted here is all of the object, labels included.
    generationChanged: (next, old) => !sameJson(wantedOf(next), wantedOf(old)),
    validate: (object) => [
      ...checkOneOf(text(object, 'addressType'), 'addressType', ['FQDN', 'IPv4', 'IPv6']),
      ...items(object, 'endpoints').flatMap((endpoint, index) =>
        Array.isArray(endpoint['addresses']) && endpoint['addresses'].length > 0
          ? []
          : [requiredField(`endpoints[${index}].addresses`, 'must contain at least 1 address')],
      ),
    ],
    validateUpdate: (next, old) => checkSame(next['addressType'], old['addressType'], 'addressType'),
  },
};

export const customResourceDefinition: BuiltinKind = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  kind: 'CustomResourceDefinition',
  strategy: {
    generationChanged: specChanged,
    allowsUnconditionalUpdate: false,
    prepareForCreate: (draft) => {
      const stored = items(child(draft, 'spec'), 'versions').find((version) => flag(version, 'storage'));
      if (stored !== undefined) ensureChild(draft, 'status')['storedVersions'] = [text(stored, 'name')];
    },
  },
};
