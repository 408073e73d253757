import type { Draft, JsonObject, StoredObject } from '../../registry/json.ts';
import { checkLabel } from '../../registry/name-checks.ts';
import { at, child, count, items, maybeChild, maybeNumber, text, textMap } from '../draft-fields.ts';

// What is allowed in a pod and yet is hardly what its author meant: told in the Warning header.

/** Where kinds keep pods or templates of them, and what is said of names that cannot be host names. */
const places: Readonly<Record<string, { readonly path: string; readonly named?: string }>> = {
  '/Pod': { path: '', named: "the Pod's hostname" },
  '/PodTemplate': { path: 'template' },
  '/ReplicationController': { path: 'spec.template', named: 'Pod names and hostnames' },
  'apps/ReplicaSet': { path: 'spec.template', named: 'Pod names and hostnames' },
  'apps/Deployment': { path: 'spec.template', named: 'Pod names and hostnames' },
  'apps/StatefulSet': { path: 'spec.template' },
  'apps/DaemonSet': { path: 'spec.template' },
  'batch/Job': { path: 'spec.template', named: 'Pod names and hostnames' },
  'batch/CronJob': { path: 'spec.jobTemplate.spec.template', named: 'Pod names and hostnames' },
};

type Warnings = readonly string[];

/** The warnings of a kind that has pods in it; undefined for all others. */
export function podWarningsOf(
  group: string,
  kind: string,
): ((object: JsonObject, old: StoredObject | undefined) => Warnings) | undefined {
  const place = places[`${group}/${kind}`];
  if (place === undefined) return undefined;
  const { path, named } = place;
  return (object, old) => {
    const metadata = child(object, 'metadata');
    // Of a change only what is new is looked at, and a pod as such does not change.
    if (old !== undefined && (path === '' || metadata['generation'] === old.metadata.generation)) return [];
    const template = path === '' ? (object as Draft) : at(object, path);
    const ofName = old === undefined && named !== undefined ? nameWarnings(text(metadata, 'name'), named) : [];
    return [...ofName, ...specWarnings(template, path === '' ? '' : `${path}.`)];
  };
}

function nameWarnings(name: string, use: string): Warnings {
  const faults = checkLabel(name);
  if (faults.length === 0) return [];
  const surprise = 'which can result in surprising behavior; a DNS label is recommended';
  return [`metadata.name: this is used in ${use}, ${surprise}: [${faults.join(' ')}]`];
}

function specWarnings(template: Draft, prefix: string): Warnings {
  const spec = child(template, 'spec');
  const here = `${prefix}spec`;
  const grace = maybeNumber(spec, 'terminationGracePeriodSeconds') ?? 0;
  const unlimited = 'must be >= 0; negative values are invalid and will be treated as 1';
  return [
    ...spreadWarnings(spec, here),
    ...annotationWarnings(template, prefix),
    ...volumeWarnings(spec, here),
    ...repeated(items(spec, 'hostAliases'), `${here}.hostAliases`, 'ip'),
    ...repeated(items(spec, 'imagePullSecrets'), `${here}.imagePullSecrets`, 'name'),
    ...items(spec, 'imagePullSecrets').flatMap((secret, index) =>
      text(secret, 'name') === '' ? [`${here}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
    ),
    ...containersIn(spec, here).flatMap(({ container, path }) => environmentWarnings(container, path)),
    ...portWarnings(spec, here),
    ...(grace < 0 ? [`${here}.terminationGracePeriodSeconds: ${unlimited}`] : []),
    ...affinityWarnings(spec, here),
  ];
}

const matchesNothing = 'a null labelSelector results in matching no pod';

function spreadWarnings(spec: Draft, here: string): Warnings {
  return items(spec, 'topologySpreadConstraints').flatMap((constraint, index) =>
    maybeChild(constraint, 'labelSelector') === undefined
      ? [`${here}.topologySpreadConstraints[${index}].labelSelector: ${matchesNothing}`]
      : [],
  );
}

function affinityWarnings(spec: Draft, here: string): Warnings {
  return ['podAffinity', 'podAntiAffinity'].flatMap((way) => {
    const affinity = child(child(spec, 'affinity'), way);
    const base = `${here}.affinity.${way}`;
    const required = 'requiredDuringSchedulingIgnoredDuringExecution';
    const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';
    return [
      ...items(affinity, required).map((term, index) => ({ term, path: `${base}.${required}[${index}]` })),
      ...items(affinity, preferred).map((term, index) => ({
        term: child(term, 'podAffinityTerm'),
        path: `${base}.${preferred}[${index}].podAffinityTerm`,
      })),
    ].flatMap(({ term, path }) =>
      maybeChild(term, 'labelSelector') === undefined ? [`${path}.labelSelector: ${matchesNothing}`] : [],
    );
  });
}

const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};

function annotationWarnings(template: Draft, prefix: string): Warnings {
  const annotations = textMap(child(template, 'metadata'), 'annotations');
  return Object.entries(oldAnnotations).flatMap(([key, message]) =>
    annotations[key] === undefined ? [] : [`${prefix}metadata.annotations[${key}]: ${message}`],
  );
}

const oldVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};

function volumeWarnings(spec: Draft, here: string): Warnings {
  return items(spec, 'volumes').flatMap((volume, index) =>
    Object.entries(oldVolumes).flatMap(([type, message]) =>
      maybeChild(volume, type) === undefined ? [] : [`${here}.volumes[${index}].${type}: ${message}`],
    ),
  );
}

function repeated(list: readonly Draft[], path: string, key: string): Warnings {
  const values = list.map((item) => text(item, key));
  return values.flatMap((value, index) =>
    values.indexOf(value) < index ? [`${path}[${index}].${key}: duplicate ${key} ${JSON.stringify(value)}`] : [],
  );
}

type Placed = { readonly container: Draft; readonly path: string };

function containersIn(spec: Draft, here: string): readonly Placed[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    items(spec, list).map((container, index) => ({ container, path: `${here}.${list}[${index}]` })),
  );
}

/** A second definition is sound only where it makes something of the first. */
function environmentWarnings(container: Draft, path: string): Warnings {
  const known = new Set<string>();
  return items(container, 'env').flatMap((variable, index) => {
    const name = text(variable, 'name');
    const [value, reference] = [text(variable, 'value'), `$(${name})`];
    const isSecond = known.has(name);
    known.add(name);
    const builds = maybeChild(variable, 'valueFrom') === undefined && value.includes(reference) && value !== reference;
    if (!isSecond || builds) return [];
    const hides = `hides previous definition of ${JSON.stringify(name)}, which may be dropped when using apply`;
    return [`${path}.env[${index}]: ${hides}`];
  });
}

const sameNumber = (a: Draft, b: Draft): boolean =>
  count(a, 'containerPort') === count(b, 'containerPort') && text(a, 'protocol') === text(b, 'protocol');

function portWarnings(spec: Draft, here: string): Warnings {
  const ports = containersIn(spec, here).flatMap(({ container, path }) =>
    items(container, 'ports').map((port, index) => ({ port, at: `${path}.ports[${index}]` })),
  );
  const clashes = ports.flatMap(({ port, at: place }, index) =>
    ports.slice(0, index).flatMap((other) => {
      const how = sameNumber(port, other.port) ? clash(port, other.port) : undefined;
      return how === undefined ? [] : [`${place}: ${how} port definition with ${other.at}`];
    }),
  );
  const names = ports.flatMap(({ port, at: place }, index) => {
    const name = text(port, 'name');
    const first = ports.slice(0, index).find((other) => name !== '' && text(other.port, 'name') === name);
    if (first === undefined) return [];
    const use = `services and probes that select ports by name will use ${first.at}`;
    return [`${place}: duplicate port name ${JSON.stringify(name)} with ${first.at}, ${use}`];
  });
  return [...clashes, ...names];
}

function clash(port: Draft, other: Draft): string | undefined {
  const [ip, otherIp] = [text(port, 'hostIP'), text(other, 'hostIP')];
  const [host, otherHost] = [count(port, 'hostPort'), count(other, 'hostPort')];
  if (ip === otherIp && host === otherHost) return 'duplicate';
  if (host === 0 || otherHost === 0) return 'overlapping';
  return host === otherHost && (ip === '') !== (otherIp === '') ? 'dangerously ambiguous' : undefined;
}
