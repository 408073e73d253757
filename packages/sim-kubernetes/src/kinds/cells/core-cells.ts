import type { Draft, StoredObject } from '../../registry/json.ts';
import { at, child, count, flag, items, maybeChild, text, textMap, texts } from '../draft-fields.ts';
import type { Cell, CellsOf } from './cell-text.ts';
import {
  accessModesText,
  age,
  annotation,
  containerCells,
  firstThree,
  hasCondition,
  labelsText,
  loadBalancerText,
  none,
  since,
  unset,
} from './cell-text.ts';
import { podCells } from './pod-cells.ts';

const size = (object: Draft | StoredObject, key: string): number => Object.keys(child(object, key)).length;
const named: CellsOf = (object, nowMs) => [object.metadata.name, age(object, nowMs)];

/** The cells of each kind of core/v1, in the order of its columns. */
export const coreCells: Readonly<Record<string, CellsOf>> = {
  Pod: podCells,
  ConfigMap: (map, nowMs) => [map.metadata.name, size(map, 'data') + size(map, 'binaryData'), age(map, nowMs)],
  Secret: (secret, nowMs) => [secret.metadata.name, text(secret, 'type'), size(secret, 'data'), age(secret, nowMs)],
  ServiceAccount: named,
  Namespace: (namespace, nowMs) => [
    namespace.metadata.name,
    text(child(namespace, 'status'), 'phase'),
    age(namespace, nowMs),
  ],
  Endpoints: (endpoints, nowMs) => [endpoints.metadata.name, endpointsText(endpoints), age(endpoints, nowMs)],
  Event: eventCells,
  Node: nodeCells,
  Service: serviceCells,
  PersistentVolume: volumeCells,
  PersistentVolumeClaim: claimCells,
  PodTemplate: (template) => [
    template.metadata.name,
    ...containerCells(at(template, 'template.spec')),
    labelsText(textMap(at(template, 'template.metadata'), 'labels')),
  ],
  ReplicationController: (controller, nowMs) => [
    controller.metadata.name,
    count(child(controller, 'spec'), 'replicas'),
    count(child(controller, 'status'), 'replicas'),
    count(child(controller, 'status'), 'readyReplicas'),
    age(controller, nowMs),
    ...containerCells(at(controller, 'spec.template.spec')),
    labelsText(textMap(child(controller, 'spec'), 'selector')),
  ],
  ResourceQuota: quotaCells,
};

function endpointsText(endpoints: StoredObject): string {
  const addresses = items(endpoints, 'subsets').flatMap((subset) => {
    const ips = items(subset, 'addresses').map((address) => text(address, 'ip'));
    const ports = items(subset, 'ports');
    return ports.length === 0 ? ips : ports.flatMap((port) => ips.map((ip) => joined(ip, count(port, 'port'))));
  });
  return items(endpoints, 'subsets').length === 0 ? none : firstThree(addresses, '');
}

const joined = (ip: string, port: number): string => (ip.includes(':') ? `[${ip}]:${port}` : `${ip}:${port}`);

/** Also for events.k8s.io, whose events are shown in the form of core. */
export function eventCells(event: StoredObject, nowMs: number): readonly Cell[] {
  const involved = child(event, 'involvedObject');
  const series = maybeChild(event, 'series');
  const first = since(event['firstTimestamp'] ?? event['eventTime'], nowMs);
  const last = event['lastTimestamp'] === null ? first : since(event['lastTimestamp'], nowMs);
  const kind = text(involved, 'kind').toLowerCase();
  const source = child(event, 'source');
  const component = text(source, 'component') || text(event, 'reportingComponent');
  const host = text(source, 'host') || text(event, 'reportingInstance');
  return [
    series === undefined ? last : since(series['lastObservedTime'], nowMs),
    text(event, 'type'),
    text(event, 'reason'),
    text(involved, 'name') === '' ? kind : `${kind}/${text(involved, 'name')}`,
    text(involved, 'fieldPath'),
    host === '' ? component : `${component}, ${host}`,
    text(event, 'message').trim(),
    first,
    series === undefined ? count(event, 'count') || 1 : count(series, 'count'),
    event.metadata.name,
  ];
}

const rolePrefix = 'node-role.kubernetes.io/';

function nodeCells(node: StoredObject, nowMs: number): readonly Cell[] {
  const status = child(node, 'status');
  const info = child(status, 'nodeInfo');
  const known = items(status, 'conditions').some((found) => found['type'] === 'Ready');
  const ready = hasCondition(status, 'Ready') ? 'Ready' : 'NotReady';
  const unschedulable = flag(child(node, 'spec'), 'unschedulable') ? ',SchedulingDisabled' : '';
  const architecture = text(info, 'architecture');
  const address = (type: string): string =>
    text(
      items(status, 'addresses').find((found) => found['type'] === type),
      'address',
    ) || none;
  return [
    node.metadata.name,
    `${known ? ready : 'Unknown'}${unschedulable}`,
    nodeRoles(node.metadata.labels ?? {}).join(',') || none,
    age(node, nowMs),
    text(info, 'kubeletVersion'),
    address('InternalIP'),
    address('ExternalIP'),
    text(info, 'osImage') || '<unknown>',
    `${text(info, 'kernelVersion') || '<unknown>'}${architecture === '' ? '' : ` (${architecture})`}`,
    text(info, 'containerRuntimeVersion') || '<unknown>',
  ];
}

function nodeRoles(labels: Readonly<Record<string, string>>): readonly string[] {
  const roles = Object.entries(labels).flatMap(([key, value]) => {
    if (key.startsWith(rolePrefix)) return [key.slice(rolePrefix.length)];
    return key === 'kubernetes.io/role' ? [value] : [];
  });
  return [...new Set(roles.filter((role) => role !== ''))].toSorted();
}

function serviceCells(service: StoredObject, nowMs: number): readonly Cell[] {
  const spec = child(service, 'spec');
  const ports = items(spec, 'ports').map((port) => {
    const node = count(port, 'nodePort');
    return `${count(port, 'port')}${node > 0 ? `:${node}` : ''}/${text(port, 'protocol')}`;
  });
  return [
    service.metadata.name,
    text(spec, 'type'),
    texts(spec, 'clusterIPs')[0] ?? none,
    externalAddress(service, spec),
    ports.join(',') || none,
    age(service, nowMs),
    labelsText(textMap(spec, 'selector')),
  ];
}

function externalAddress(service: StoredObject, spec: Draft): string {
  const external = texts(spec, 'externalIPs').join(',');
  if (text(spec, 'type') === 'ExternalName') return text(spec, 'externalName');
  if (text(spec, 'type') !== 'LoadBalancer') return external || none;
  const balanced = loadBalancerText(at(service, 'status.loadBalancer'));
  return [balanced, external].filter((part) => part !== '').join(',') || '<pending>';
}

function volumeCells(volume: StoredObject, nowMs: number): readonly Cell[] {
  const spec = child(volume, 'spec');
  const claim = maybeChild(spec, 'claimRef');
  return [
    volume.metadata.name,
    text(child(spec, 'capacity'), 'storage') || '0',
    accessModesText(texts(spec, 'accessModes')),
    text(spec, 'persistentVolumeReclaimPolicy'),
    phaseOf(volume),
    claim === undefined ? '' : `${text(claim, 'namespace')}/${text(claim, 'name')}`,
    annotation(volume, 'volume.beta.kubernetes.io/storage-class') ?? text(spec, 'storageClassName'),
    text(spec, 'volumeAttributesClassName') || unset,
    text(child(volume, 'status'), 'reason'),
    age(volume, nowMs),
    text(spec, 'volumeMode') || unset,
  ];
}

function claimCells(claim: StoredObject, nowMs: number): readonly Cell[] {
  const spec = child(claim, 'spec');
  const status = child(claim, 'status');
  const bound = text(spec, 'volumeName') !== '';
  return [
    claim.metadata.name,
    phaseOf(claim),
    text(spec, 'volumeName'),
    bound ? text(child(status, 'capacity'), 'storage') || '0' : '',
    bound ? accessModesText(texts(status, 'accessModes')) : '',
    annotation(claim, 'volume.beta.kubernetes.io/storage-class') ?? text(spec, 'storageClassName'),
    text(spec, 'volumeAttributesClassName') || unset,
    age(claim, nowMs),
    text(spec, 'volumeMode') || unset,
  ];
}

function phaseOf(object: StoredObject): string {
  return object.metadata.deletionTimestamp === undefined ? text(child(object, 'status'), 'phase') : 'Terminating';
}

function quotaCells(quota: StoredObject, nowMs: number): readonly Cell[] {
  const status = child(quota, 'status');
  const used = textMap(status, 'used');
  const entries = Object.entries(textMap(status, 'hard')).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const written = (limits: boolean): string =>
    entries
      .filter(([name]) => name.startsWith('limits.') === limits)
      .map(([name, hard]) => `${name}: ${used[name] ?? '0'}/${hard}`)
      .join(', ');
  return [quota.metadata.name, written(false), written(true), age(quota, nowMs)];
}
