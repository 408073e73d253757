import { cloneJson } from '../../registry/clone-json.ts';
import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { labelName } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import { forbiddenField, invalidField, requiredField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { specChanged } from '../core/plain-kinds.ts';
import { child, count, ensureChild, items, maybeChild, maybeNumber, text } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkNotNegative, checkOneOf, checkSame } from '../validation/field-checks.ts';
import { validateSelectedTemplate } from '../validation/validate-pod-template.ts';

const daemonSet = { kind: 'daemonset', owner: 'DaemonSet', requiresSelector: false };
const inApps = { group: 'apps', version: 'v1' } as const;

/** The selector of these kinds is a structure, which a Scale shows as text. */
const scale = {
  specReplicasPath: '.spec.replicas',
  statusReplicasPath: '.status.replicas',
  labelSelectorPath: '.spec.selector',
};

export const workloads: readonly BuiltinKind[] = [
  {
    ...inApps,
    kind: 'ControllerRevision',
    strategy: {
      noGeneration: true,
      validate: (object) => [
        ...(maybeChild(object, 'data') === undefined ? [requiredField('data', 'data is mandatory')] : []),
        ...checkNotNegative(object['revision'], 'revision'),
      ],
      validateUpdate: (next, old) => checkSame(next['data'], old['data'], 'data'),
    },
  },
  {
    ...inApps,
    kind: 'DaemonSet',
    strategy: {
      generationChanged: specChanged,
      prepareForCreate: (draft) => setTemplateGeneration(draft, 1),
      prepareForUpdate: (draft, old) => setTemplateGeneration(draft, templateGeneration(draft, old)),
      validate: (object) => validateSelectedTemplate(child(object, 'spec'), daemonSet),
      validateUpdate: sameSelector,
    },
  },
  {
    ...inApps,
    kind: 'Deployment',
    scale,
    strategy: {
      // Annotations count too: they are copied to the replica sets.
      generationChanged: (next, old) =>
        specChanged(next, old) ||
        !sameJson(child(next, 'metadata')['annotations'] ?? {}, old.metadata.annotations ?? {}),
      prepareForStatusUpdate: (draft, old) => {
        const metadata = ensureChild(draft, 'metadata');
        if (old.metadata.labels === undefined) delete metadata['labels'];
        else metadata['labels'] = cloneJson(old.metadata.labels);
      },
      validate: (object) => validateDeployment(child(object, 'spec')),
      validateUpdate: sameSelector,
    },
  },
  {
    ...inApps,
    kind: 'ReplicaSet',
    scale,
    strategy: {
      generationChanged: specChanged,
      validate: (object) => {
        const spec = child(object, 'spec');
        return [
          ...checkNotNegative(spec['replicas'], 'spec.replicas'),
          ...checkNotNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
          ...validateSelectedTemplate(spec, { kind: 'deployment', owner: 'ReplicaSet' }),
        ];
      },
      validateUpdate: sameSelector,
    },
  },
  {
    ...inApps,
    kind: 'StatefulSet',
    scale,
    strategy: {
      checkName: labelName,
      generationChanged: specChanged,
      validate: (object) => validateStatefulSet(child(object, 'spec')),
      validateUpdate: validateStatefulSetUpdate,
    },
  },
];

function sameSelector(next: JsonObject, old: StoredObject): Errors {
  return checkSame(child(next, 'spec')['selector'], child(old, 'spec')['selector'], 'spec.selector');
}

const generationAnnotation = 'deprecated.daemonset.template.generation';

/** An old field of the spec that lives on as an annotation. */
function setTemplateGeneration(draft: Draft, generation: number): void {
  ensureChild(ensureChild(draft, 'metadata'), 'annotations')[generationAnnotation] = String(generation);
}

function templateGeneration(draft: Draft, old: StoredObject): number {
  const before = Number(old.metadata.annotations?.[generationAnnotation] ?? '0');
  return sameJson(child(draft, 'spec')['template'], child(old, 'spec')['template']) ? before : before + 1;
}

function validateDeployment(spec: Draft): Errors {
  const deadline = maybeNumber(spec, 'progressDeadlineSeconds');
  const strategy = child(spec, 'strategy');
  const errors: FieldError[] = [
    ...checkNotNegative(spec['replicas'], 'spec.replicas'),
    ...validateSelectedTemplate(spec, { kind: 'deployment', owner: 'ReplicaSet' }),
    ...validateDeploymentStrategy(strategy),
    ...checkNotNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    ...checkNotNegative(spec['revisionHistoryLimit'], 'spec.revisionHistoryLimit'),
    ...checkNotNegative(deadline, 'spec.progressDeadlineSeconds'),
  ];
  if (deadline !== undefined && deadline <= count(spec, 'minReadySeconds')) {
    errors.push(invalidField('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'));
  }
  return errors;
}

function validateDeploymentStrategy(strategy: Draft): Errors {
  const type = text(strategy, 'type');
  const rolling = maybeChild(strategy, 'rollingUpdate');
  const path = 'spec.strategy';
  if (type === 'Recreate' && rolling !== undefined) {
    const fault = "may not be specified when strategy `type` is 'Recreate'";
    return [forbiddenField(`${path}.rollingUpdate`, fault)];
  }
  if (type !== 'RollingUpdate') return checkOneOf(type, `${path}.type`, ['Recreate', 'RollingUpdate']);
  const [down, up] = [rolling?.['maxUnavailable'], rolling?.['maxSurge']];
  const still = [down, up].every((value) => value === 0 || value === '0%');
  return still ? [invalidField(`${path}.rollingUpdate.maxUnavailable`, down, 'may not be 0 when `maxSurge` is 0')] : [];
}

function validateStatefulSet(spec: Draft): Errors {
  return [
    ...checkOneOf(text(spec, 'podManagementPolicy'), 'spec.podManagementPolicy', ['OrderedReady', 'Parallel']),
    ...checkOneOf(text(child(spec, 'updateStrategy'), 'type'), 'spec.updateStrategy.type', [
      'RollingUpdate',
      'OnDelete',
    ]),
    ...checkNotNegative(spec['replicas'], 'spec.replicas'),
    ...checkNotNegative(spec['minReadySeconds'], 'spec.minReadySeconds'),
    ...validateSelectedTemplate(withClaims(spec), { kind: 'statefulset', owner: 'StatefulSet' }),
  ];
}

/** Each claim template is a volume of the pods. */
function withClaims(spec: Draft): Draft {
  const template = child(spec, 'template');
  const podSpec = child(template, 'spec');
  const claims = items(spec, 'volumeClaimTemplates').map((claim) => text(child(claim, 'metadata'), 'name'));
  const volumes = [
    ...claims.map((name) => ({ name, persistentVolumeClaim: { claimName: name } })),
    ...items(podSpec, 'volumes').filter((volume) => !claims.includes(text(volume, 'name'))),
  ];
  return { ...spec, template: { ...template, spec: { ...podSpec, volumes } } };
}

const changeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
];

function validateStatefulSetUpdate(next: JsonObject, old: StoredObject): Errors {
  const fixed = (spec: Draft): Draft =>
    Object.fromEntries(Object.entries(spec).filter(([key]) => !changeable.includes(key)));
  if (sameJson(fixed(child(next, 'spec')), fixed(child(old, 'spec')))) return [];
  const [last = '', ...others] = changeable.toReversed().map((name) => `'${name}'`);
  const list = `${others.toReversed().join(', ')} and ${last}`;
  return [forbiddenField('spec', `updates to statefulset spec for fields other than ${list} are forbidden`)];
}
