import type { Draft } from '../registry/json.ts';
import type { TypeDefaults } from './apply-type-defaults.ts';
import { fillAutoscaler } from './autoscaling/autoscaler-defaults.ts';
import { at, ensureChild, fill, items, maybeChild, text } from './draft-fields.ts';

const rbacGroup = 'rbac.authorization.k8s.io';

/** Defaults of the types of all groups but core. */
export const groupTypeDefaults: TypeDefaults = {
  'io.k8s.api.apps.v1.Deployment': (deployment) => {
    const spec = ensureChild(deployment, 'spec');
    fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
    const strategy = ensureChild(spec, 'strategy');
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] !== 'RollingUpdate') return;
    fill(ensureChild(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
  },
  'io.k8s.api.apps.v1.DaemonSet': (set) => {
    const spec = ensureChild(set, 'spec');
    fill(spec, { revisionHistoryLimit: 10 });
    const strategy = ensureChild(spec, 'updateStrategy');
    fill(strategy, { type: 'RollingUpdate' });
    if (strategy['type'] === 'RollingUpdate') {
      fill(ensureChild(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
    }
  },
  'io.k8s.api.apps.v1.StatefulSet': fillStatefulSet,
  'io.k8s.api.apps.v1.ReplicaSet': (set) => fill(ensureChild(set, 'spec'), { replicas: 1 }),
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler': fillAutoscaler,
  'io.k8s.api.batch.v1.Job': fillJob,
  'io.k8s.api.batch.v1.CronJob': (job) =>
    fill(ensureChild(job, 'spec'), {
      concurrencyPolicy: 'Allow',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
    }),
  'io.k8s.api.batch.v1.PodFailurePolicyOnPodConditionsPattern': (pattern) => fill(pattern, { status: 'True' }),
  'io.k8s.api.networking.v1.NetworkPolicyPort': (port) => fill(port, { protocol: 'TCP' }),
  'io.k8s.api.networking.v1.NetworkPolicy': (policy) => {
    const spec = ensureChild(policy, 'spec');
    const egress = items(spec, 'egress').length > 0;
    fill(spec, { policyTypes: egress ? ['Ingress', 'Egress'] : ['Ingress'] });
  },
  'io.k8s.api.networking.v1.IngressClassParametersReference': (reference) => fill(reference, { scope: 'Cluster' }),
  'io.k8s.api.rbac.v1.ClusterRoleBinding': fillRoleRef,
  'io.k8s.api.rbac.v1.RoleBinding': fillRoleRef,
  'io.k8s.api.rbac.v1.Subject': (subject) => {
    if (text(subject, 'kind') === 'User' || text(subject, 'kind') === 'Group') fill(subject, { apiGroup: rbacGroup });
  },
  'io.k8s.api.storage.v1.StorageClass': (storageClass) =>
    fill(storageClass, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  'io.k8s.api.storage.v1.CSIDriver': (driver) =>
    fill(ensureChild(driver, 'spec'), {
      attachRequired: true,
      podInfoOnMount: false,
      storageCapacity: false,
      fsGroupPolicy: 'ReadWriteOnceWithFSType',
      volumeLifecycleModes: ['Persistent'],
      requiresRepublish: false,
      seLinuxMount: false,
    }),
  'io.k8s.api.scheduling.v1.PriorityClass': (priority) => fill(priority, { preemptionPolicy: 'PreemptLowerPriority' }),
  'io.k8s.api.discovery.v1.EndpointPort': (port) => {
    port['name'] ??= '';
    fill(port, { protocol: 'TCP' });
  },
  'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1.ServiceReference': (reference) => fill(reference, { port: 443 }),
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.CustomResourceDefinition': fillDefinition,
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.ServiceReference': (reference) =>
    fill(reference, { port: 443 }),
};

function fillStatefulSet(set: Draft): void {
  const spec = ensureChild(set, 'spec');
  fill(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 });
  const strategy = ensureChild(spec, 'updateStrategy');
  if (text(strategy, 'type') === '') {
    strategy['type'] = 'RollingUpdate';
    ensureChild(strategy, 'rollingUpdate');
  }
  const rolling = maybeChild(strategy, 'rollingUpdate');
  if (strategy['type'] === 'RollingUpdate' && rolling !== undefined) fill(rolling, { partition: 0 });
  fill(ensureChild(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
  for (const template of items(spec, 'volumeClaimTemplates')) {
    Object.assign(template, { kind: 'PersistentVolumeClaim', apiVersion: 'v1' });
  }
}

function fillJob(job: Draft): void {
  const spec = ensureChild(job, 'spec');
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  fill(spec, {
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : 2 ** 31 - 1,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  });
  const labels = maybeChild(at(spec, 'template.metadata'), 'labels');
  const metadata = ensureChild(job, 'metadata');
  if (labels !== undefined && metadata['labels'] === undefined) metadata['labels'] = { ...labels };
}

function fillRoleRef(binding: Draft): void {
  fill(ensureChild(binding, 'roleRef'), { apiGroup: rbacGroup });
}

function fillDefinition(definition: Draft): void {
  const spec = ensureChild(definition, 'spec');
  const names = ensureChild(spec, 'names');
  const kind = text(names, 'kind');
  fill(names, { singular: kind.toLowerCase(), ...(kind === '' ? {} : { listKind: `${kind}List` }) });
  if (spec['conversion'] === undefined) spec['conversion'] = { strategy: 'None' };
  const status = ensureChild(definition, 'status');
  const stored = items(spec, 'versions').find((version) => version['storage'] === true);
  const known = Array.isArray(status['storedVersions']) && status['storedVersions'].length > 0;
  if (!known && stored !== undefined) status['storedVersions'] = [text(stored, 'name')];
}
