import type { Draft } from '../registry/json.ts';
import type { TypeDefaults } from './apply-type-defaults.ts';
import { at, child, count, ensureChild, fill, flag, items, maybeChild, text, texts } from './draft-fields.ts';

const core = 'io.k8s.api.core.v1.';
const fileMode = 0o644;

/** Defaults of the types of core/v1. */
export const coreTypeDefaults: TypeDefaults = {
  [`${core}Pod`]: fillPod,
  [`${core}PodSpec`]: fillPodSpec,
  [`${core}PodStatus`]: (status) => {
    const [first] = items(status, 'podIPs');
    if (first !== undefined) fill(status, { podIP: text(first, 'ip') });
    else if (text(status, 'podIP') !== '') status['podIPs'] = [{ ip: status['podIP'] }];
  },
  [`${core}Container`]: fillContainer,
  [`${core}EphemeralContainer`]: fillContainer,
  [`${core}Probe`]: (probe) =>
    fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }),
  [`${core}HTTPGetAction`]: (action) => fill(action, { path: '/', scheme: 'HTTP' }),
  [`${core}ObjectFieldSelector`]: (selector) => fill(selector, { apiVersion: 'v1' }),
  [`${core}Volume`]: fillVolume,
  [`${core}HostPathVolumeSource`]: (source) => {
    source['type'] ??= '';
  },
  [`${core}SecretVolumeSource`]: (source) => fill(source, { defaultMode: fileMode }),
  [`${core}ConfigMapVolumeSource`]: (source) => fill(source, { defaultMode: fileMode }),
  [`${core}DownwardAPIVolumeSource`]: (source) => fill(source, { defaultMode: fileMode }),
  [`${core}ProjectedVolumeSource`]: (source) => fill(source, { defaultMode: fileMode }),
  [`${core}ServiceAccountTokenProjection`]: (projection) => fill(projection, { expirationSeconds: 3600 }),
  [`${core}PersistentVolume`]: (volume) => {
    fill(ensureChild(volume, 'status'), { phase: 'Pending' });
    fill(ensureChild(volume, 'spec'), { persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' });
  },
  [`${core}PersistentVolumeClaim`]: (claim) => fill(ensureChild(claim, 'status'), { phase: 'Pending' }),
  [`${core}PersistentVolumeClaimSpec`]: (spec) => fill(spec, { volumeMode: 'Filesystem' }),
  [`${core}EndpointPort`]: (port) => fill(port, { protocol: 'TCP' }),
  [`${core}Secret`]: fillSecret,
  [`${core}Service`]: fillService,
  [`${core}Namespace`]: (namespace) => {
    const metadata = ensureChild(namespace, 'metadata');
    const name = text(metadata, 'name');
    if (name !== '') ensureChild(metadata, 'labels')['kubernetes.io/metadata.name'] = name;
  },
  [`${core}NamespaceStatus`]: (status) => fill(status, { phase: 'Active' }),
  [`${core}NodeSpec`]: (spec) => {
    const [first] = texts(spec, 'podCIDRs');
    if (first !== undefined) fill(spec, { podCIDR: first });
    else if (text(spec, 'podCIDR') !== '') spec['podCIDRs'] = [spec['podCIDR']];
  },
  [`${core}NodeStatus`]: (status) => {
    const capacity = maybeChild(status, 'capacity');
    if (capacity !== undefined && status['allocatable'] === undefined) status['allocatable'] = { ...capacity };
  },
  [`${core}LimitRangeItem`]: fillLimitRangeItem,
  [`${core}ReplicationController`]: (controller) => {
    const labels = maybeChild(at(controller, 'spec.template.metadata'), 'labels');
    if (labels === undefined) return;
    const spec = ensureChild(controller, 'spec');
    if (Object.keys(child(spec, 'selector')).length === 0) spec['selector'] = { ...labels };
    const metadata = ensureChild(controller, 'metadata');
    if (Object.keys(child(metadata, 'labels')).length === 0) metadata['labels'] = { ...labels };
  },
};

function fillPod(pod: Draft): void {
  const spec = ensureChild(pod, 'spec');
  const containers = [...items(spec, 'containers'), ...items(spec, 'initContainers')];
  for (const container of containers) fillRequests(container);
  fill(spec, { enableServiceLinks: true });
  if (!flag(spec, 'hostNetwork')) return;
  for (const port of containers.flatMap((container) => items(container, 'ports'))) {
    if (count(port, 'hostPort') === 0) port['hostPort'] = port['containerPort'];
  }
}

function fillPodSpec(spec: Draft): void {
  fill(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
    schedulerName: 'default-scheduler',
  });
  // The account has two names, of which the older one follows.
  const account = text(spec, 'serviceAccountName') || text(spec, 'serviceAccount');
  if (account === '') return;
  spec['serviceAccountName'] = account;
  spec['serviceAccount'] = account;
}

/** What is limited but not requested is requested in full. */
function fillRequests(container: Draft): void {
  const resources = child(container, 'resources');
  const limits = maybeChild(resources, 'limits');
  if (limits !== undefined) resources['requests'] = { ...limits, ...child(resources, 'requests') };
}

function fillContainer(container: Draft): void {
  fill(container, {
    imagePullPolicy: pullPolicyOf(text(container, 'image')),
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
}

function fillVolume(volume: Draft): void {
  if (Object.keys(volume).every((key) => key === 'name')) volume['emptyDir'] = {};
  const image = maybeChild(volume, 'image');
  if (image !== undefined) fill(image, { pullPolicy: pullPolicyOf(text(image, 'reference')) });
}

const imageName = /^[a-z0-9][a-zA-Z0-9._:/-]*(?:@[A-Za-z0-9:+._-]+)?$/;

/** Only what is or means `latest` is pulled every time. */
export function pullPolicyOf(image: string): 'Always' | 'IfNotPresent' {
  if (!imageName.test(image)) return 'IfNotPresent';
  const [name = '', digest] = image.split('@');
  const tag = /:([\w.-]+)$/.exec(name)?.[1];
  return (tag ?? (digest === undefined ? 'latest' : '')) === 'latest' ? 'Always' : 'IfNotPresent';
}

/** `stringData` is for writing only: the server never stores it. */
function fillSecret(secret: Draft): void {
  fill(secret, { type: 'Opaque' });
  const plain = maybeChild(secret, 'stringData');
  delete secret['stringData'];
  if (plain === undefined) return;
  const data = ensureChild(secret, 'data');
  for (const [key, value] of Object.entries(plain)) data[key] = Buffer.from(String(value)).toString('base64');
}

function fillService(service: Draft): void {
  const spec = ensureChild(service, 'spec');
  fill(spec, { sessionAffinity: 'None', type: 'ClusterIP' });
  const type = text(spec, 'type');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (
    spec['sessionAffinity'] === 'ClientIP' &&
    at(spec, 'sessionAffinityConfig.clientIP')['timeoutSeconds'] === undefined
  ) {
    spec['sessionAffinityConfig'] = { clientIP: { timeoutSeconds: 10_800 } };
  }
  for (const port of items(spec, 'ports')) {
    fill(port, { protocol: 'TCP' });
    if (port['targetPort'] === undefined || port['targetPort'] === 0 || port['targetPort'] === '') {
      port['targetPort'] = port['port'];
    }
  }
  const external = spec['externalIPs'] !== undefined && type === 'ClusterIP';
  if (type === 'NodePort' || type === 'LoadBalancer' || external) fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (type !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (type === 'LoadBalancer') {
    fill(spec, { allocateLoadBalancerNodePorts: true });
    for (const ingress of items(at(service, 'status.loadBalancer'), 'ingress')) {
      if (text(ingress, 'ip') !== '') fill(ingress, { ipMode: 'VIP' });
    }
  }
}

function fillLimitRangeItem(item: Draft): void {
  if (text(item, 'type') !== 'Container') return;
  const limits = { ...child(item, 'max'), ...child(item, 'default') };
  const requests = { ...child(item, 'min'), ...limits, ...child(item, 'defaultRequest') };
  if (Object.keys(limits).length > 0) item['default'] = limits;
  if (Object.keys(requests).length > 0) item['defaultRequest'] = requests;
}
