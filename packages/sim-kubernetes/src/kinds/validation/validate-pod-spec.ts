import type { FieldError } from '../../registry/field-error.ts';
import type { Draft } from '../../registry/json.ts';
import { checkLabelValue, checkQualifiedName } from '../../registry/name-checks.ts';
import {
  duplicateField,
  forbiddenField,
  invalidField,
  requiredField,
  unsupportedField,
} from '../../schema/field-errors.ts';
import { child, flag, items, maybeChild, maybeNumber, text, textMap } from '../draft-fields.ts';
import type { Errors } from './field-checks.ts';
import { checkLabels, checkOneOf, checkRequiredLabel, checkSubdomainField } from './field-checks.ts';
import { validateContainer, validateProbe } from './validate-container.ts';

export const largestInt32 = 2 ** 31 - 1;

/** The spec of a pod or of a pod template. */
export function validatePodSpec(spec: Draft, path: string): Errors {
  const volumes = validateVolumes(items(spec, 'volumes'), `${path}.volumes`);
  const deadline = maybeNumber(spec, 'activeDeadlineSeconds');
  return [
    ...volumes.errors,
    ...validateContainers(spec, volumes.names, path),
    ...validateHostPorts(spec, path),
    ...checkOneOf(text(spec, 'restartPolicy'), `${path}.restartPolicy`, ['Always', 'OnFailure', 'Never']),
    ...checkOneOf(text(spec, 'dnsPolicy'), `${path}.dnsPolicy`, [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...checkLabels(textMap(spec, 'nodeSelector'), `${path}.nodeSelector`),
    ...['serviceAccountName', 'nodeName', 'priorityClassName'].flatMap((name) =>
      text(spec, name) === '' ? [] : checkSubdomainField(text(spec, name), `${path}.${name}`),
    ),
    ...(deadline !== undefined && (deadline < 1 || deadline > largestInt32)
      ? [invalidField(`${path}.activeDeadlineSeconds`, deadline, `must be between 1 and ${largestInt32}, inclusive`)]
      : []),
    ...['hostname', 'subdomain'].flatMap((name) =>
      text(spec, name) === '' ? [] : checkRequiredLabel(text(spec, name), `${path}.${name}`),
    ),
    ...items(spec, 'tolerations').flatMap((toleration, index) =>
      validateToleration(toleration, `${path}.tolerations[${index}]`),
    ),
  ];
}

type Volumes = { readonly names: ReadonlySet<string>; readonly errors: Errors };

function validateVolumes(volumes: readonly Draft[], path: string): Volumes {
  const names = new Set<string>();
  const errors = volumes.flatMap((volume, index) => {
    const at = `${path}[${index}]`;
    const name = text(volume, 'name');
    const found: FieldError[] = [...validateVolumeSource(volume, at), ...checkRequiredLabel(name, `${at}.name`)];
    if (names.has(name)) found.push(duplicateField(`${at}.name`, name));
    // A volume that is wrong cannot be mounted either, and is then reported twice.
    if (found.length === 0) names.add(name);
    return found;
  });
  return { names, errors };
}

const requiredInSource: Readonly<Record<string, string>> = {
  secret: 'secretName',
  configMap: 'name',
  persistentVolumeClaim: 'claimName',
  hostPath: 'path',
};

function validateVolumeSource(volume: Draft, path: string): Errors {
  const [first, ...more] = Object.keys(volume).filter((key) => key !== 'name');
  if (first === undefined) return [requiredField(path, 'must specify a volume type')];
  const errors: FieldError[] = more.map((key) =>
    forbiddenField(`${path}.${key}`, 'may not specify more than 1 volume type'),
  );
  const needed = requiredInSource[first];
  if (needed !== undefined && text(child(volume, first), needed) === '') {
    errors.push(requiredField(`${path}.${first}.${needed}`));
  }
  return errors;
}

function validateContainers(spec: Draft, volumes: ReadonlySet<string>, path: string): Errors {
  const containers = items(spec, 'containers');
  if (containers.length === 0) return [requiredField(`${path}.containers`)];
  const names = new Set<string>();
  const named = (container: Draft, at: string): Errors => {
    const name = text(container, 'name');
    const taken = names.has(name);
    names.add(name);
    return taken ? [duplicateField(`${at}.name`, name)] : [];
  };
  const errors = containers.flatMap((container, index) => {
    const at = `${path}.containers[${index}]`;
    return [
      ...validateContainer(container, volumes, at),
      ...named(container, at),
      ...validateProbe(maybeChild(container, 'livenessProbe'), `${at}.livenessProbe`, true),
      ...validateProbe(maybeChild(container, 'readinessProbe'), `${at}.readinessProbe`, false),
      ...validateProbe(maybeChild(container, 'startupProbe'), `${at}.startupProbe`, true),
    ];
  });
  const initial = items(spec, 'initContainers').flatMap((container, index) => {
    const at = `${path}.initContainers[${index}]`;
    const sidecar = text(container, 'restartPolicy') === 'Always';
    const misplaced = sidecar ? [] : ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'];
    return [
      ...validateContainer(container, volumes, at),
      ...named(container, at),
      ...misplaced
        .filter((key) => container[key] !== undefined)
        .map((key) =>
          forbiddenField(`${at}.${key}`, 'may not be set for init containers without restartPolicy=Always'),
        ),
    ];
  });
  const ephemeral = items(spec, 'ephemeralContainers').flatMap((container, index) => {
    const at = `${path}.ephemeralContainers[${index}]`;
    return [...validateContainer(container, volumes, at), ...named(container, at)];
  });
  return [...errors, ...initial, ...ephemeral];
}

/** On the network of the host a port of a container is a port of the host. */
function validateHostPorts(spec: Draft, path: string): Errors {
  if (!flag(spec, 'hostNetwork')) return [];
  return items(spec, 'containers').flatMap((container, index) =>
    items(container, 'ports').flatMap((port, at) =>
      port['hostPort'] === undefined || port['hostPort'] === port['containerPort']
        ? []
        : [
            invalidField(
              `${path}.containers[${index}].ports[${at}].hostPort`,
              port['hostPort'],
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ],
    ),
  );
}

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

function validateToleration(toleration: Draft, path: string): Errors {
  const [key, operator, effect, value] = ['key', 'operator', 'effect', 'value'].map((name) => text(toleration, name));
  const errors: FieldError[] = [];
  if (key !== '') errors.push(...checkQualifiedName(key ?? '').map((fault) => invalidField(`${path}.key`, key, fault)));
  else if (operator !== 'Exists') {
    const fault = 'operator must be Exists when `key` is empty, which means "match all values and all keys"';
    errors.push(invalidField(`${path}.operator`, operator, fault));
  }
  if (toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute') {
    errors.push(invalidField(`${path}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set"));
  }
  if (operator === 'Equal' || operator === '') {
    const faults = checkLabelValue(value ?? '');
    if (faults.length > 0) errors.push(invalidField(`${path}.operator`, value, faults.join(';')));
  } else if (operator === 'Exists') {
    if (value !== '') {
      errors.push(invalidField(`${path}.operator`, value, "value must be empty when `operator` is 'Exists'"));
    }
  } else errors.push(unsupportedField(`${path}.operator`, operator, ['Equal', 'Exists']));
  if (effect !== '' && !effects.includes(effect ?? ''))
    errors.push(unsupportedField(`${path}.effect`, effect, effects));
  return errors;
}
