import type { FieldError } from '../../registry/field-error.ts';
import type { Draft } from '../../registry/json.ts';
import { checkQualifiedName } from '../../registry/name-checks.ts';
import { duplicateField, invalidField, requiredField } from '../../schema/field-errors.ts';
import { child, count, items, maybeChild, text, textMap } from '../draft-fields.ts';
import { compareQuantities, parseQuantity } from '../quantity.ts';
import type { Errors } from './field-checks.ts';
import {
  checkNotNegative,
  checkOneOf,
  checkPort,
  checkPortReference,
  checkRequiredLabel,
  portNameFaults,
  protocols,
} from './field-checks.ts';

/** What a container must keep whatever it is for. `volumes` are the names that may be mounted. */
export function validateContainer(container: Draft, volumes: ReadonlySet<string>, path: string): Errors {
  return [
    ...checkRequiredLabel(text(container, 'name'), `${path}.name`),
    ...(text(container, 'image') === '' ? [requiredField(`${path}.image`)] : []),
    ...checkOneOf(text(container, 'terminationMessagePolicy'), `${path}.terminationMessagePolicy`, [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...validatePorts(items(container, 'ports'), `${path}.ports`),
    ...items(container, 'env').flatMap((variable, index) => validateVariable(variable, `${path}.env[${index}]`)),
    ...validateMounts(items(container, 'volumeMounts'), volumes, `${path}.volumeMounts`),
    ...checkOneOf(text(container, 'imagePullPolicy'), `${path}.imagePullPolicy`, ['Always', 'IfNotPresent', 'Never']),
    ...validateResources(child(container, 'resources'), `${path}.resources`),
  ];
}

function validatePorts(ports: readonly Draft[], path: string): Errors {
  const names = new Set<string>();
  return ports.flatMap((port, index) => {
    const at = `${path}[${index}]`;
    const name = text(port, 'name');
    const errors: FieldError[] = [];
    const faults = name === '' ? [] : portNameFaults(name);
    errors.push(...faults.map((fault) => invalidField(`${at}.name`, name, fault)));
    if (name !== '' && faults.length === 0 && names.has(name)) errors.push(duplicateField(`${at}.name`, name));
    names.add(name);
    if (count(port, 'containerPort') === 0) errors.push(requiredField(`${at}.containerPort`));
    else errors.push(...checkPort(port['containerPort'], `${at}.containerPort`));
    if (count(port, 'hostPort') !== 0) errors.push(...checkPort(port['hostPort'], `${at}.hostPort`));
    errors.push(...checkOneOf(text(port, 'protocol'), `${at}.protocol`, protocols));
    return errors;
  });
}

const sources = ['fieldRef', 'resourceFieldRef', 'configMapKeyRef', 'secretKeyRef', 'fileKeyRef'];

function validateVariable(variable: Draft, path: string): Errors {
  const name = text(variable, 'name');
  const errors: FieldError[] = [];
  if (name === '') errors.push(requiredField(`${path}.name`));
  else if (!/^[ -<>-~]+$/.test(name)) {
    const fault = "a valid environment variable name must consist only of printable ASCII characters other than '='";
    errors.push(invalidField(`${path}.name`, name, fault));
  }
  const from = maybeChild(variable, 'valueFrom');
  if (from === undefined) return errors;
  const given = sources.filter((source) => from[source] !== undefined);
  const at = `${path}.valueFrom`;
  for (const source of ['configMapKeyRef', 'secretKeyRef']) {
    const reference = maybeChild(from, source);
    if (reference !== undefined && text(reference, 'key') === '') errors.push(requiredField(`${at}.${source}.key`));
  }
  if (given.length === 0) {
    const all = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
    errors.push(invalidField(at, '', `must specify one of: ${all}`));
  } else if (text(variable, 'value') !== '') {
    errors.push(invalidField(at, '', 'may not be specified when `value` is not empty'));
  } else if (given.length > 1) {
    errors.push(invalidField(at, '', 'may not have more than one field specified at a time'));
  }
  return errors;
}

function validateMounts(mounts: readonly Draft[], volumes: ReadonlySet<string>, path: string): Errors {
  const places = new Set<string>();
  return mounts.flatMap((mount, index) => {
    const at = `${path}[${index}]`;
    const name = text(mount, 'name');
    const place = text(mount, 'mountPath');
    const errors: FieldError[] = [];
    if (name === '') errors.push(requiredField(`${at}.name`));
    if (!volumes.has(name)) {
      errors.push({ field: `${at}.name`, reason: 'FieldValueNotFound', message: `Not found: ${JSON.stringify(name)}` });
    }
    if (place === '') errors.push(requiredField(`${at}.mountPath`));
    if (places.has(place)) errors.push(invalidField(`${at}.mountPath`, place, 'must be unique'));
    places.add(place);
    return errors;
  });
}

const overcommittable = new Set(['cpu', 'memory', 'ephemeral-storage']);

function validateResources(resources: Draft, path: string): Errors {
  const limits = textMap(resources, 'limits');
  const errors: FieldError[] = [];
  for (const [name, value] of Object.entries(limits)) {
    errors.push(...validateAmount(name, value, `${path}.limits[${name}]`));
  }
  for (const [name, value] of Object.entries(textMap(resources, 'requests'))) {
    errors.push(...validateAmount(name, value, `${path}.requests[${name}]`));
    const limit = limits[name];
    const shared = overcommittable.has(name);
    if (limit === undefined) {
      const fault = 'Limit must be set for non overcommitable resources';
      if (!shared) errors.push(requiredField(`${path}.limits`, fault));
      continue;
    }
    const order = compareAmounts(value, limit);
    if (order !== 0 && !shared) {
      errors.push(invalidField(`${path}.requests`, value, `must be equal to ${name} limit of ${limit}`));
    } else if (order > 0) {
      errors.push(invalidField(`${path}.requests`, value, `must be less than or equal to ${name} limit of ${limit}`));
    }
  }
  return errors;
}

const standardResources = new Set(['cpu', 'memory', 'ephemeral-storage']);

function validateAmount(name: string, value: string, path: string): Errors {
  const errors: FieldError[] = checkQualifiedName(name).map((fault) => invalidField(path, name, fault));
  if (errors.length === 0 && !name.includes('/') && !standardResources.has(name) && !name.startsWith('hugepages-')) {
    errors.push(invalidField(path, name, 'must be a standard resource for containers'));
  }
  if (value.startsWith('-')) errors.push(invalidField(path, value, 'must be greater than or equal to 0'));
  return errors;
}

function compareAmounts(a: string, b: string): number {
  const [left, right] = [parseQuantity(a), parseQuantity(b)];
  return left === undefined || right === undefined ? 0 : compareQuantities(left, right);
}

const handlers = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

/** A probe, or one end of a lifecycle, which is the same without the times. */
export function validateProbe(probe: Draft | undefined, path: string, liveness: boolean): Errors {
  if (probe === undefined) return [];
  const given = handlers.filter((handler) => probe[handler] !== undefined);
  const errors: FieldError[] = [];
  if (given.length === 0) errors.push(requiredField(path, 'must specify a handler type'));
  for (const handler of ['httpGet', 'tcpSocket']) {
    const action = maybeChild(probe, handler);
    if (action !== undefined) errors.push(...checkPortReference(action['port'], `${path}.${handler}.port`));
  }
  const times = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];
  for (const time of times) errors.push(...checkNotNegative(probe[time], `${path}.${time}`));
  if (liveness && count(probe, 'successThreshold') !== 1) {
    errors.push(invalidField(`${path}.successThreshold`, count(probe, 'successThreshold'), 'must be 1'));
  }
  return errors;
}
