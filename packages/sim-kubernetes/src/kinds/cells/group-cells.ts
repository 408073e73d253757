import type { Draft, StoredObject } from '../../registry/json.ts';
import { at, child, count, flag, items, maybeChild, text, textMap, texts } from '../draft-fields.ts';
import type { Cell, CellsOf } from './cell-text.ts';
import {
  age,
  annotation,
  containerCells,
  firstThree,
  hasCondition,
  labelsText,
  loadBalancerText,
  none,
  numberOrText,
  selectorText,
  since,
  unset,
} from './cell-text.ts';
import { humanDuration } from './human-duration.ts';

/** The cells of each kind outside core/v1, in the order of its columns, by `group/Kind`. */
export const groupCells: Readonly<Record<string, CellsOf>> = {
  'apps/Deployment': (deployment, nowMs) => {
    const status = child(deployment, 'status');
    const spec = child(deployment, 'spec');
    return [
      deployment.metadata.name,
      `${count(status, 'readyReplicas')}/${count(spec, 'replicas')}`,
      count(status, 'updatedReplicas'),
      count(status, 'availableReplicas'),
      age(deployment, nowMs),
      ...containerCells(at(spec, 'template.spec')),
      selectorText(maybeChild(spec, 'selector')),
    ];
  },
  'apps/ReplicaSet': (set, nowMs) => [
    set.metadata.name,
    count(child(set, 'spec'), 'replicas'),
    count(child(set, 'status'), 'replicas'),
    count(child(set, 'status'), 'readyReplicas'),
    age(set, nowMs),
    ...containerCells(at(set, 'spec.template.spec')),
    selectorCell(child(set, 'spec')),
  ],
  'apps/StatefulSet': (set, nowMs) => [
    set.metadata.name,
    `${count(child(set, 'status'), 'readyReplicas')}/${count(child(set, 'spec'), 'replicas')}`,
    age(set, nowMs),
    ...containerCells(at(set, 'spec.template.spec')),
  ],
  'apps/DaemonSet': (set, nowMs) => {
    const status = child(set, 'status');
    const podSpec = at(set, 'spec.template.spec');
    return [
      set.metadata.name,
      count(status, 'desiredNumberScheduled'),
      count(status, 'currentNumberScheduled'),
      count(status, 'numberReady'),
      count(status, 'updatedNumberScheduled'),
      count(status, 'numberAvailable'),
      labelsText(textMap(podSpec, 'nodeSelector')),
      age(set, nowMs),
      ...containerCells(podSpec),
      selectorCell(child(set, 'spec')),
    ];
  },
  'apps/ControllerRevision': (revision, nowMs) => [
    revision.metadata.name,
    controllerText(revision),
    count(revision, 'revision'),
    age(revision, nowMs),
  ],
  'batch/Job': jobCells,
  'batch/CronJob': (job, nowMs) => {
    const spec = child(job, 'spec');
    const status = child(job, 'status');
    const template = at(spec, 'jobTemplate.spec');
    return [
      job.metadata.name,
      text(spec, 'schedule'),
      text(spec, 'timeZone') || none,
      spec['suspend'] === undefined ? unset : flag(spec, 'suspend') ? 'True' : 'False',
      items(status, 'active').length,
      status['lastScheduleTime'] === undefined ? none : since(status['lastScheduleTime'], nowMs),
      age(job, nowMs),
      ...containerCells(at(template, 'template.spec')),
      selectorCell(template),
    ];
  },
  'networking.k8s.io/Ingress': ingressCells,
  'networking.k8s.io/IngressClass': (ingressClass, nowMs) => [
    withDefaultMark(ingressClass, 'ingressclass.kubernetes.io/is-default-class'),
    text(child(ingressClass, 'spec'), 'controller'),
    parametersText(maybeChild(child(ingressClass, 'spec'), 'parameters')),
    age(ingressClass, nowMs),
  ],
  'networking.k8s.io/NetworkPolicy': (policy, nowMs) => [
    policy.metadata.name,
    selectorText(at(policy, 'spec.podSelector')) || none,
    age(policy, nowMs),
  ],
  'policy/PodDisruptionBudget': (budget, nowMs) => [
    budget.metadata.name,
    numberOrText(child(budget, 'spec')['minAvailable'], 'N/A'),
    numberOrText(child(budget, 'spec')['maxUnavailable'], 'N/A'),
    count(child(budget, 'status'), 'disruptionsAllowed'),
    age(budget, nowMs),
  ],
  'rbac.authorization.k8s.io/RoleBinding': bindingCells,
  'rbac.authorization.k8s.io/ClusterRoleBinding': bindingCells,
  'storage.k8s.io/StorageClass': (storageClass, nowMs) => [
    withDefaultMark(storageClass, 'storageclass.kubernetes.io/is-default-class'),
    text(storageClass, 'provisioner'),
    text(storageClass, 'reclaimPolicy') || 'Delete',
    text(storageClass, 'volumeBindingMode') || 'Immediate',
    flag(storageClass, 'allowVolumeExpansion'),
    age(storageClass, nowMs),
  ],
  'storage.k8s.io/CSIDriver': driverCells,
  'storage.k8s.io/CSINode': (node, nowMs) => [
    node.metadata.name,
    items(child(node, 'spec'), 'drivers').length,
    age(node, nowMs),
  ],
  'storage.k8s.io/VolumeAttachment': (attachment, nowMs) => [
    attachment.metadata.name,
    text(child(attachment, 'spec'), 'attacher'),
    text(at(attachment, 'spec.source'), 'persistentVolumeName'),
    text(child(attachment, 'spec'), 'nodeName'),
    flag(child(attachment, 'status'), 'attached'),
    age(attachment, nowMs),
  ],
  'scheduling.k8s.io/PriorityClass': (priority, nowMs) => [
    priority.metadata.name,
    count(priority, 'value'),
    flag(priority, 'globalDefault'),
    age(priority, nowMs),
    text(priority, 'preemptionPolicy'),
  ],
  'coordination.k8s.io/Lease': (lease, nowMs) => [
    lease.metadata.name,
    text(child(lease, 'spec'), 'holderIdentity'),
    age(lease, nowMs),
  ],
  'discovery.k8s.io/EndpointSlice': (slice, nowMs) => [
    slice.metadata.name,
    text(slice, 'addressType'),
    firstThree(
      items(slice, 'ports').map((port) => numberOrText(port['port'], text(port, 'name') || '*')),
      unset,
    ),
    firstThree(
      items(slice, 'endpoints').flatMap((endpoint) => texts(endpoint, 'addresses')),
      unset,
    ),
    age(slice, nowMs),
  ],
};

function selectorCell(spec: Draft): string {
  return selectorText(maybeChild(spec, 'selector')) || none;
}

function controllerText(revision: StoredObject): string {
  const owner = items(revision.metadata, 'ownerReferences').find((reference) => reference['controller'] === true);
  if (owner === undefined) return none;
  const group = text(owner, 'apiVersion').includes('/') ? `.${text(owner, 'apiVersion').split('/')[0]}` : '';
  return `${text(owner, 'kind')}${group}`.toLowerCase() + `/${text(owner, 'name')}`;
}

const jobStates: readonly (readonly [string, string])[] = [
  ['Suspended', 'Suspended'],
  ['FailureTarget', 'FailureTarget'],
  ['SuccessCriteriaMet', 'SuccessCriteriaMet'],
];

function jobCells(job: StoredObject, nowMs: number): readonly Cell[] {
  const spec = child(job, 'spec');
  const status = child(job, 'status');
  const parallelism = count(spec, 'parallelism');
  const of = spec['completions'] === undefined && parallelism > 1 ? ` of ${parallelism}` : '';
  const start = text(status, 'startTime');
  const end = text(status, 'completionTime');
  return [
    job.metadata.name,
    jobState(job, status),
    `${count(status, 'succeeded')}/${numberOrText(spec['completions'], '1')}${of}`,
    start === '' ? '' : humanDuration((end === '' ? nowMs : Date.parse(end)) - Date.parse(start)),
    age(job, nowMs),
    ...containerCells(at(spec, 'template.spec')),
    selectorCell(spec),
  ];
}

function jobState(job: StoredObject, status: Draft): string {
  if (hasCondition(status, 'Complete')) return 'Complete';
  if (hasCondition(status, 'Failed')) return 'Failed';
  if (job.metadata.deletionTimestamp !== undefined) return 'Terminating';
  return jobStates.find(([condition]) => hasCondition(status, condition))?.[1] ?? 'Running';
}

function ingressCells(ingress: StoredObject, nowMs: number): readonly Cell[] {
  const spec = child(ingress, 'spec');
  const rules = items(spec, 'rules');
  const hosts = rules.map((rule) => text(rule, 'host')).filter((host) => host !== '');
  // Rules are counted, not hosts: one that comes after three hosts is more, whether it has a host or not.
  const third = rules.findIndex((_, index) => hosts.length >= 3 && hostsUpTo(rules, index) === 3);
  const more = third >= 0 && third < rules.length - 1;
  return [
    ingress.metadata.name,
    text(spec, 'ingressClassName') || none,
    more ? `${hosts.slice(0, 3).join(',')} + ${rules.length - 3} more...` : hosts.join(',') || '*',
    loadBalancerText(at(ingress, 'status.loadBalancer')),
    items(spec, 'tls').length > 0 ? '80, 443' : '80',
    age(ingress, nowMs),
  ];
}

function hostsUpTo(rules: readonly Draft[], index: number): number {
  return rules.slice(0, index + 1).filter((rule) => text(rule, 'host') !== '').length;
}

function withDefaultMark(object: StoredObject, key: string): string {
  return annotation(object, key) === 'true' ? `${object.metadata.name} (default)` : object.metadata.name;
}

function parametersText(parameters: Draft | undefined): string {
  if (parameters === undefined) return none;
  const group = text(parameters, 'apiGroup');
  return `${text(parameters, 'kind')}${group === '' ? '' : `.${group}`}/${text(parameters, 'name')}`;
}

function bindingCells(binding: StoredObject, nowMs: number): readonly Cell[] {
  const role = child(binding, 'roleRef');
  const subjects = items(binding, 'subjects');
  const names = (kind: string): string =>
    subjects
      .filter((subject) => subject['kind'] === kind)
      .map((subject) => (kind === 'ServiceAccount' ? `${text(subject, 'namespace')}/` : '') + text(subject, 'name'))
      .join(', ');
  return [
    binding.metadata.name,
    `${text(role, 'kind')}/${text(role, 'name')}`,
    age(binding, nowMs),
    names('User'),
    names('Group'),
    names('ServiceAccount'),
  ];
}

function driverCells(driver: StoredObject, nowMs: number): readonly Cell[] {
  const spec = child(driver, 'spec');
  const audiences = items(spec, 'tokenRequests').map((request) => text(request, 'audience'));
  return [
    driver.metadata.name,
    spec['attachRequired'] !== false,
    flag(spec, 'podInfoOnMount'),
    flag(spec, 'storageCapacity'),
    audiences.length === 0 ? unset : audiences.join(','),
    flag(spec, 'requiresRepublish'),
    texts(spec, 'volumeLifecycleModes').join(',') || none,
    age(driver, nowMs),
  ];
}
