import { builtinKind } from '../../kinds/builtin-kind.ts';
import { age } from '../../kinds/cells/cell-text.ts';
import { child, ensureChild, fill, items, maybeChild, text } from '../../kinds/draft-fields.ts';
import { specChanged } from '../../kinds/core/plain-kinds.ts';
import type { Draft, StoredObject } from '../../registry/json.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { webhookGroup } from '../webhooks/webhook-configuration.ts';
import { bindingErrors } from './binding-errors.ts';
import { policyErrors } from './policy-errors.ts';

/** ValidatingAdmissionPolicy and ValidatingAdmissionPolicyBinding. */
export function policyKinds(): readonly ResourceType[] {
  return [
    withDefaults(
      builtinKind({
        group: webhookGroup,
        version: 'v1',
        kind: 'ValidatingAdmissionPolicy',
        cells: (object, nowMs) => [
          object.metadata.name,
          items(child(object, 'spec'), 'validations').length,
          paramKindText(object),
          age(object, nowMs),
        ],
        strategy: {
          allowsUnconditionalUpdate: false,
          generationChanged: specChanged,
          validate: (object) => policyErrors(text(child(object, 'metadata'), 'name'), child(object, 'spec')),
        },
      }),
      (spec) => {
        fill(spec, { failurePolicy: 'Fail' });
        fillMatch(maybeChild(spec, 'matchConstraints'));
      },
    ),
    withDefaults(
      builtinKind({
        group: webhookGroup,
        version: 'v1',
        kind: 'ValidatingAdmissionPolicyBinding',
        cells: (object, nowMs) => [
          object.metadata.name,
          text(child(object, 'spec'), 'policyName'),
          paramText(object),
          age(object, nowMs),
        ],
        strategy: {
          allowsUnconditionalUpdate: false,
          generationChanged: specChanged,
          validate: (object) => bindingErrors(child(object, 'spec')),
        },
      }),
      (spec) => fillMatch(maybeChild(spec, 'matchResources')),
    ),
  ];
}

function withDefaults(type: ResourceType, fillSpec: (spec: Draft) => void): ResourceType {
  const applyDefaults = (draft: Draft): void => {
    type.strategy.applyDefaults?.(draft);
    fillSpec(ensureChild(draft, 'spec'));
  };
  return { ...type, strategy: { ...type.strategy, applyDefaults } };
}

function fillMatch(match: Draft | undefined): void {
  if (match === undefined) return;
  fill(match, { matchPolicy: 'Equivalent' });
  ensureChild(match, 'namespaceSelector');
  ensureChild(match, 'objectSelector');
  for (const list of ['resourceRules', 'excludeResourceRules']) {
    for (const rule of items(match, list)) fill(rule, { scope: '*' });
  }
}

function paramKindText(policy: StoredObject): string {
  const kind = maybeChild(child(policy, 'spec'), 'paramKind');
  return kind === undefined ? '<unset>' : `${text(kind, 'apiVersion')}/${text(kind, 'kind')}`;
}

function paramText(binding: StoredObject): string {
  const reference = maybeChild(child(binding, 'spec'), 'paramRef');
  if (reference === undefined) return '<unset>';
  const [namespace, name] = [text(reference, 'namespace'), text(reference, 'name')];
  if (name === '') return '*';
  return namespace === '' ? name : `${namespace}/${name}`;
}
