import { at, child, items, maybeChild, text, textMap } from '../../kinds/draft-fields.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../../registry/admission.ts';
import { forbidden, invalid } from '../../registry/api-error.ts';
import type { JsonObject, StoredObject } from '../../registry/json.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { sameJson } from '../../registry/same-json.ts';
import { detailOf, judgePod } from './judge-pod.ts';
import { existingPodWarnings } from './existing-pods.ts';
import type { SecurityPolicy, Standard } from './security-policy.ts';
import { isPrivileged, policyOf, prefix, sameStandard, standardText, strictness } from './security-policy.ts';

/** Subresources by which no pod becomes more than it was. */
const harmless = new Set([
  'exec',
  'attach',
  'binding',
  'assignment',
  'eviction',
  'log',
  'portforward',
  'proxy',
  'status',
]);

/** Where the kinds that make pods keep the template of them. */
const templates: Readonly<Record<string, string>> = {
  '/podtemplates': 'template',
  '/replicationcontrollers': 'spec.template',
  'apps/replicasets': 'spec.template',
  'apps/deployments': 'spec.template',
  'apps/statefulsets': 'spec.template',
  'apps/daemonsets': 'spec.template',
  'batch/jobs': 'spec.template',
  'batch/cronjobs': 'spec.jobTemplate.spec.template',
};

/** PodSecurity: what the labels of a namespace ask of pods is enforced, and told of what makes pods. */
export const podSecurity: AdmissionPlugin = {
  name: 'PodSecurity',
  validate: (attributes, context) => {
    const { operation, type } = attributes;
    if (operation !== 'CREATE' && operation !== 'UPDATE') return;
    const resource = `${type.group}/${type.plural}`;
    if (resource === '/pods') admitPod(attributes, context);
    else if (resource === '/namespaces') admitNamespace(attributes, context);
    else admitTemplate(attributes, context, templates[resource]);
  },
};

function admitNamespace(attributes: AdmissionAttributes, context: HookContext): void {
  const { subresource, object = {}, old, name, type, warn } = attributes;
  if (subresource !== '') return;
  const next = policyOf(labelsOf(object));
  const before = old && policyOf(labelsOf(old));
  if (next.errors.length > 0 && !sameJson(next.errors, before?.errors ?? [])) {
    throw invalid(type, name, next.errors);
  }
  if (before === undefined || !isStricter(next.policy.enforce, before.policy.enforce)) return;
  existingPodWarnings(context.list('', 'pods', name), name, next.policy.enforce).forEach(warn);
}

function isStricter(next: Standard, before: Standard): boolean {
  if (next.level === 'privileged' || sameStandard(next, before)) return false;
  return next.minor !== before.minor || strictness(next.level) > strictness(before.level);
}

function admitPod(attributes: AdmissionAttributes, context: HookContext): void {
  const { subresource, object = {}, old } = attributes;
  if (harmless.has(subresource)) return;
  const found = policyFor(attributes, context);
  if (found.errors.length === 0 && isPrivileged(found.policy)) {
    return attributes.annotate?.(`${prefix}enforce-policy`, 'privileged:latest');
  }
  if (old !== undefined && !isSignificant(object as JsonObject, old)) return;
  noteFaults(attributes, found.errors);
  const { enforce } = found.policy;
  attributes.annotate?.(`${prefix}enforce-policy`, standardText(enforce));
  const [metadata, spec] = [child(object, 'metadata'), child(object, 'spec')] as JsonObject[];
  const violations = judgePod(enforce, metadata ?? {}, spec ?? {});
  speak(attributes, found.policy, { metadata, spec }, violations.length > 0);
  if (violations.length === 0) return;
  const words = `violates PodSecurity ${JSON.stringify(standardText(enforce))}: ${detailOf(violations)}`;
  throw forbidden({ group: '', plural: 'pods' }, attributes.name, words);
}

/** What makes pods is never refused: its author is told what will become of them. */
function admitTemplate(attributes: AdmissionAttributes, context: HookContext, path: string | undefined): void {
  if (path === undefined || attributes.subresource !== '') return;
  const found = policyFor(attributes, context);
  const { warn, audit } = found.policy;
  if (found.errors.length === 0 && warn.level === 'privileged' && audit.level === 'privileged') return;
  const template = at(attributes.object, path);
  noteFaults(attributes, found.errors);
  speak(
    attributes,
    found.policy,
    { metadata: child(template, 'metadata') as JsonObject, spec: child(template, 'spec') as JsonObject },
    false,
  );
}

type Pod = { readonly metadata: JsonObject | undefined; readonly spec: JsonObject | undefined };

function speak(
  { annotate, warn }: AdmissionAttributes,
  policy: SecurityPolicy,
  { metadata = {}, spec = {} }: Pod,
  refused: boolean,
): void {
  const would = (standard: Standard): string | undefined => {
    const violations = judgePod(standard, metadata, spec);
    if (violations.length === 0) return undefined;
    return `would violate PodSecurity ${JSON.stringify(standardText(standard))}: ${detailOf(violations)}`;
  };
  const noted = annotate && would(policy.audit);
  if (noted !== undefined) annotate?.(`${prefix}audit-violations`, noted);
  const told = refused ? undefined : would(policy.warn);
  if (told !== undefined) warn(told);
}

function policyFor({ namespace }: AdmissionAttributes, context: HookContext): ReturnType<typeof policyOf> {
  return policyOf(labelsOf(context.get('', 'namespaces', undefined, namespace ?? '') ?? {}));
}

function noteFaults({ annotate }: AdmissionAttributes, errors: ReturnType<typeof policyOf>['errors']): void {
  if (errors.length === 0 || annotate === undefined) return;
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  const said = texts.length === 1 ? texts.join('') : `[${texts.join(', ')}]`;
  annotate(`${prefix}error`, `Failed to parse policy: ${said}`);
}

function labelsOf(object: JsonObject | AdmissionAttributes['object']): Readonly<Record<string, string>> {
  return textMap(maybeChild(object, 'metadata'), 'labels');
}

function imagesOf(object: JsonObject, list: string): readonly string[] {
  return items(child(object, 'spec'), list).map((container) => text(container, 'image'));
}

/** Of what may change in a pod only its images can make another pod of it. */
function isSignificant(next: JsonObject, old: StoredObject): boolean {
  if (['containers', 'initContainers'].some((list) => !sameJson(imagesOf(next, list), imagesOf(old, list))))
    return true;
  const before = new Map(
    items(child(old, 'spec'), 'ephemeralContainers').map((found) => [text(found, 'name'), text(found, 'image')]),
  );
  return items(child(next, 'spec'), 'ephemeralContainers').some(
    (container) => before.get(text(container, 'name')) !== text(container, 'image'),
  );
}
