import { badRequest, internalError, invalid, pathNotFound } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';
import { invalidField } from '../schema/field-errors.ts';
import { metadataOf } from './object-metadata.ts';

type ScalePaths = NonNullable<ResourceType['scale']>;

/** The `autoscaling/v1 Scale` of an object. */
export function toScale(type: ResourceType, object: StoredObject): StoredObject {
  const { specReplicasPath } = pathsOf(type.scale);
  if (type.origin === 'custom' && valueAt(object, specReplicasPath) === undefined) {
    throw internalError(`the spec replicas field ${JSON.stringify(specReplicasPath)} does not exist`);
  }
  return viewOf(type, object, 0);
}

// Smaller than anything a caller may ask for, so that it shows who has asked for nothing.
const unset = -2_147_483_648;

/** The Scale that a write starts from: that of an object without replicas can still be given some. */
export function toWritableScale(type: ResourceType, object: StoredObject): StoredObject {
  return viewOf(type, object, type.origin === 'custom' ? unset : 0);
}

function viewOf({ scale }: ResourceType, object: StoredObject, otherwise: number): StoredObject {
  const paths = pathsOf(scale);
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata;
  const wanted =
    valueAt(object, paths.specReplicasPath) === undefined ? otherwise : numberAt(object, paths.specReplicasPath);
  const selector = paths.labelSelectorPath === undefined ? '' : selectorText(valueAt(object, paths.labelSelectorPath));
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: wanted === 0 ? {} : { replicas: wanted },
    status: { replicas: numberAt(object, paths.statusReplicasPath), ...(selector === '' ? {} : { selector }) },
  };
}

/** The object with the number of replicas that the scale asks for. */
export function fromScale(type: ResourceType, current: StoredObject, scale: JsonObject): Draft {
  const paths = pathsOf(type.scale);
  const replicas = (scale['spec'] as { readonly replicas?: unknown } | undefined)?.replicas ?? 0;
  const draft = cloneJson(current) as Draft;
  if (replicas === unset) {
    throw badRequest(`the spec replicas field ${JSON.stringify(paths.specReplicasPath)} cannot be empty`);
  }
  if (typeof replicas !== 'number' || replicas < 0) {
    if (type.origin === 'custom') {
      const error = invalidField(paths.specReplicasPath, replicas, 'should be a non-negative integer');
      throw invalid(type, current.metadata.name, [error]);
    }
    const error = invalidField('spec.replicas', replicas, 'must be greater than or equal to 0');
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, current.metadata.name, [error]);
  }
  const { resourceVersion, uid } = (scale['metadata'] ?? {}) as { resourceVersion?: string; uid?: string };
  if (resourceVersion !== undefined && resourceVersion !== '') metadataOf(draft).resourceVersion = resourceVersion;
  if (uid !== undefined && uid !== '') metadataOf(draft).uid = uid;
  setAt(draft, paths.specReplicasPath, replicas);
  return draft;
}

function pathsOf(scale: ScalePaths | undefined): ScalePaths {
  if (scale === undefined) throw pathNotFound();
  return scale;
}

const stepsOf = (path: string): readonly string[] => path.split('.').filter((step) => step !== '');

function valueAt(object: JsonObject, path: string): unknown {
  return stepsOf(path).reduce<unknown>(
    (value, step) => (typeof value === 'object' && value !== null ? (value as JsonObject)[step] : undefined),
    object,
  );
}

function numberAt(object: JsonObject, path: string): number {
  const value = valueAt(object, path);
  return typeof value === 'number' ? value : 0;
}

function setAt(draft: Draft, path: string, value: number): void {
  const steps = stepsOf(path);
  const last = steps.at(-1);
  let at = draft;
  for (const step of steps.slice(0, -1)) {
    if (typeof at[step] !== 'object' || at[step] === null) at[step] = {};
    at = at[step] as Draft;
  }
  if (last !== undefined) at[last] = value;
}

type LabelSelector = {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values?: readonly string[];
  }[];
};

/** Custom resources hold the text; built-in workloads hold a selector that must be written as text. */
function selectorText(selector: unknown): string {
  if (typeof selector === 'string') return selector;
  if (typeof selector !== 'object' || selector === null) return '';
  const { matchLabels, matchExpressions } = selector as LabelSelector;
  const plain = isPlainMap(selector) ? (selector as Record<string, string>) : (matchLabels ?? {});
  const terms = Object.entries(plain).map(([key, value]) => ({ key, text: `${key}=${value}` }));
  for (const { key, operator, values = [] } of matchExpressions ?? []) {
    terms.push({ key, text: expressionText(key, operator, values.toSorted().join(',')) });
  }
  return terms
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ text }) => text)
    .join(',');
}

function expressionText(key: string, operator: string, values: string): string {
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values})`;
}

/** The selector of a ReplicationController is a map of labels and nothing else. */
function isPlainMap(selector: object): boolean {
  return Object.values(selector).every((value) => typeof value === 'string');
}
