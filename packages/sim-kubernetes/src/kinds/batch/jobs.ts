import type { FieldError } from '../../registry/field-error.ts';
import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { subdomainName } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import { invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { specChanged } from '../core/plain-kinds.ts';
import { at, child, count, ensureChild, flag, maybeChild, text, textMap } from '../draft-fields.ts';
import type { Errors } from '../validation/field-checks.ts';
import { checkNotNegative, checkOneOf, checkSame, selectorMatches } from '../validation/field-checks.ts';
import { validatePodTemplate } from '../validation/validate-pod-template.ts';

const uidLabel = 'batch.kubernetes.io/controller-uid';

export const jobs: readonly BuiltinKind[] = [
  {
    group: 'batch',
    version: 'v1',
    kind: 'CronJob',
    strategy: {
      generationChanged: specChanged,
      // The controller adds eleven characters to the names of its jobs.
      checkName: (name, prefix) => [
        ...subdomainName(name, prefix),
        ...(name.length > 52 ? ['must be no more than 52 characters'] : []),
      ],
      validate: (object) => validateCronJob(child(object, 'spec')),
    },
  },
  {
    group: 'batch',
    version: 'v1',
    kind: 'Job',
    strategy: {
      generationChanged: specChanged,
      defaultPropagation: 'Orphan',
      fieldLabels: (object) => ({ 'status.successful': String(count(child(object, 'status'), 'succeeded')) }),
      prepareForCreate: generateSelector,
      validate: validateJob,
      validateUpdate: validateJobUpdate,
    },
  },
];

/** A job finds its pods by its own uid, unless the user insists on a selector. */
function generateSelector(draft: Draft): void {
  const spec = ensureChild(draft, 'spec');
  if (flag(spec, 'manualSelector')) return;
  const { name = '', uid } = child(draft, 'metadata');
  const labels = ensureChild(ensureChild(ensureChild(spec, 'template'), 'metadata'), 'labels');
  const generated = {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    [uidLabel]: uid,
  };
  const metadata = child(draft, 'metadata');
  // A job without labels carries those of its template, these included.
  const shared = metadata['labels'] === undefined || sameJson(metadata['labels'], labels);
  for (const [key, value] of Object.entries(generated)) labels[key] ??= value;
  ensureChild(ensureChild(spec, 'selector'), 'matchLabels')[uidLabel] ??= uid;
  if (shared) metadata['labels'] = { ...labels };
}

const counts = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished'];

function validateJobSpec(spec: Draft, path: string): Errors {
  const errors: FieldError[] = counts.flatMap((name) => checkNotNegative(spec[name], `${path}.${name}`));
  const mode = text(spec, 'completionMode');
  if (mode !== '') errors.push(...checkOneOf(mode, `${path}.completionMode`, ['NonIndexed', 'Indexed']));
  if (mode === 'Indexed' && spec['completions'] === undefined) {
    errors.push(requiredField(`${path}.completions`, 'when completion mode is Indexed'));
  }
  errors.push(...validatePodTemplate(child(spec, 'template'), `${path}.template`));
  const policy = text(at(spec, 'template.spec'), 'restartPolicy');
  const place = `${path}.template.spec.restartPolicy`;
  if (policy === 'Always' || policy === '') errors.push(requiredField(place, 'valid values: "OnFailure", "Never"'));
  else if (policy !== 'OnFailure' && policy !== 'Never') {
    errors.push(unsupportedField(place, policy, ['OnFailure', 'Never']));
  }
  return errors;
}

function validateJob(object: JsonObject): Errors {
  const spec = child(object, 'spec');
  const labels = textMap(at(spec, 'template.metadata'), 'labels');
  const selector = maybeChild(spec, 'selector');
  const errors: FieldError[] = [...validateJobSpec(spec, 'spec')];
  if (selector === undefined) errors.push(requiredField('spec.selector'));
  else if (!selectorMatches(selector, labels)) {
    errors.push(invalidField('spec.template.metadata.labels', labels, '`selector` does not match template `labels`'));
  }
  return errors;
}

function validateJobUpdate(next: JsonObject, old: StoredObject): Errors {
  const [spec, before] = [child(next, 'spec'), child(old, 'spec')];
  const same = (key: string): Errors => checkSame(spec[key], before[key], `spec.${key}`);
  const indexed = text(spec, 'completionMode') === 'Indexed';
  // Indexed jobs grow and shrink by both numbers together.
  const elastic = indexed && spec['completions'] === spec['parallelism'];
  return [
    ...(elastic ? [] : same('completions')),
    ...same('selector'),
    ...(canMoveTemplate(spec, before, old) ? [] : same('template')),
    ...same('completionMode'),
    ...same('podFailurePolicy'),
    ...same('backoffLimitPerIndex'),
    ...same('managedBy'),
    ...same('successPolicy'),
  ];
}

const schedulingFields = new Set(['nodeSelector', 'tolerations', 'schedulingGates', 'affinity']);

function fixed(spec: Draft): Draft {
  return Object.fromEntries(Object.entries(at(spec, 'template.spec')).filter(([key]) => !schedulingFields.has(key)));
}

/** Where a suspended job that never ran will run may still be changed. */
function canMoveTemplate(spec: Draft, before: Draft, old: StoredObject): boolean {
  const suspended = flag(before, 'suspend') && child(old, 'status')['startTime'] === undefined;
  if (!suspended) return false;
  return sameJson(fixed(spec), fixed(before));
}

function validateCronJob(spec: Draft): Errors {
  const schedule = text(spec, 'schedule');
  const errors: FieldError[] = schedule === '' ? [requiredField('spec.schedule')] : [...validateSchedule(schedule)];
  errors.push(...checkNotNegative(spec['startingDeadlineSeconds'], 'spec.startingDeadlineSeconds'));
  errors.push(...checkOneOf(text(spec, 'concurrencyPolicy'), 'spec.concurrencyPolicy', ['Allow', 'Forbid', 'Replace']));
  errors.push(...validateJobSpec(at(spec, 'jobTemplate.spec'), 'spec.jobTemplate.spec'));
  for (const limit of ['successfulJobsHistoryLimit', 'failedJobsHistoryLimit']) {
    errors.push(...checkNotNegative(spec[limit], `spec.${limit}`));
  }
  return errors;
}

function validateSchedule(schedule: string): Errors {
  if (/^@(?:yearly|annually|monthly|weekly|daily|midnight|hourly|every .+)$/.test(schedule)) return [];
  const fields = schedule.trim().split(/\s+/);
  if (fields.length === 5) return [];
  const fault = `expected exactly 5 fields, found ${fields.length}: [${fields.join(' ')}]`;
  return [invalidField('spec.schedule', schedule, fault)];
}
