import type { Result } from '@tributary/runtime';
import type { Identity } from '../contract/claim.ts';
import { encodeExpectedMetadata } from '../contract/expected-metadata.ts';
import { annotations, labels, managedByValue, ownAnnotations, ownerAnnotation } from '../contract/keys.ts';
import { toHostname } from '../contract/names.ts';
import type { PhysicalName } from '../contract/names.ts';
import type { Container, Pod, PodSpec } from '../contract/pod.ts';
import { expectedOfPod } from './pod-metadata.ts';
import { changeableHash } from './pod-changes.ts';
import { apiHostAliases, translateDns } from './redirection.ts';
import type { Redirection } from './redirection.ts';
import type { ServiceVariables } from './service-variables.ts';
import { firstTokenVolume, tokenSecretRef } from './token-sources.ts';
import { translateContainer } from './translate-containers.ts';
import type { ContainerLists } from './translate-containers.ts';
import { translateVolumes } from './translate-volumes.ts';
import type { Workload } from './workload.ts';

export type PodContext = {
  readonly identity: Identity;
  readonly physicalName: PhysicalName;
  readonly mountNamespace: string;
  readonly physicalNode: string;
  readonly directScheduling: boolean;
  readonly priorityClassName: string;
  readonly workload: Workload;
  readonly redirection: Redirection;
  readonly clusterDomain: string;
  /** Absent: no variables of V's Services. */
  readonly services?: ServiceVariables | undefined;
};

/** The pod as it shall run in P. */
export function translatePod(pod: Pod, context: PodContext): Result<Pod> {
  const { namespace = '', name = '' } = pod.metadata;
  const hostname = pod.spec.hostname || toHostname(name);
  if (!hostname) {
    return { ok: false, reason: 'Invalid', message: `no hostname can be made of the pod's name ${name}` };
  }
  const homeless = pod.spec.serviceAccountName ? undefined : firstTokenVolume(pod);
  if (homeless !== undefined) {
    const message = `volume ${homeless} asks for a token, and the pod has no ServiceAccount`;
    return { ok: false, reason: 'Invalid', message };
  }
  return {
    ok: true,
    value: {
      metadata: {
        name: context.physicalName({ namespace, name }),
        namespace: context.mountNamespace,
        labels: toLabels(pod, context),
        annotations: toAnnotations(pod, context),
      },
      spec: toSpec(pod, hostname, context),
    },
  };
}

/** Containers and volumes alone: what an update of a running pod compares. */
export function translateContainers(
  pod: Pod,
  context: Pick<PodContext, 'physicalName' | 'redirection' | 'services'>,
): ContainerLists {
  const { namespace = '', name: podName = '' } = pod.metadata;
  const toPhysical = (name: string): string => context.physicalName({ namespace, name });
  const { services, redirection } = context;
  const { api } = redirection;
  const translate = (containers: readonly Container[]): readonly Container[] =>
    containers.map((container) => translateContainer(container, { toPhysical, podName, api, services }));
  const { containers, initContainers, ephemeralContainers } = pod.spec;
  return {
    containers: translate(containers),
    ...(initContainers && { initContainers: translate(initContainers) }),
    ...(ephemeralContainers && { ephemeralContainers: translate(ephemeralContainers) }),
  };
}

function toLabels(pod: Pod, { workload }: PodContext): Readonly<Record<string, string>> {
  return {
    ...expectedOfPod(pod).labels,
    [labels.managedBy]: managedByValue,
    [labels.virtualNamespace]: pod.metadata.namespace ?? '',
    [labels.workloadType]: workload.type,
    ...(workload.name !== undefined && { [labels.workloadName]: workload.name }),
  };
}

function toAnnotations(pod: Pod, { identity }: PodContext): Readonly<Record<string, string>> {
  const { namespace = '', name = '', uid = '' } = pod.metadata;
  const expected = expectedOfPod(pod);
  return {
    ...expected.annotations,
    [annotations.virtualPodNamespace]: namespace,
    [annotations.virtualPodName]: name,
    [annotations.virtualPodUid]: uid,
    [annotations.virtualNodeName]: pod.spec.nodeName ?? '',
    [annotations.expectedMetadata]: encodeExpectedMetadata(expected),
    [ownAnnotations.expectedSpec]: changeableHash(pod),
    [ownerAnnotation(identity.clusterId)]: identity.virtualCluster,
  };
}

function toSpec(pod: Pod, hostname: string, context: PodContext): PodSpec {
  const { namespace = '' } = pod.metadata;
  const { redirection, clusterDomain, physicalNode } = context;
  const { ephemeralContainers: _, ...lists } = translateContainers(pod, context);
  const toPhysical = (name: string): string => context.physicalName({ namespace, name });
  const volumes = translateVolumes(pod, {
    toPhysical,
    tokenSecret: (volume) => tokenSecretRef(pod, volume, context).name,
  });
  const { imagePullSecrets, hostAliases = [] } = pod.spec;
  const api = redirection.api;
  return {
    ...withoutVirtual(pod.spec),
    ...lists,
    ...(pod.spec.volumes && { volumes }),
    ...(imagePullSecrets && {
      imagePullSecrets: imagePullSecrets.map(({ name }) => (name ? { name: toPhysical(name) } : {})),
    }),
    ...(api && { hostAliases: [...hostAliases, ...apiHostAliases(api, clusterDomain)] }),
    ...translateDns(pod.spec, redirection, { namespace, domain: clusterDomain }),
    ...(context.directScheduling ? { nodeName: physicalNode } : { affinity: onlyOn(physicalNode) }),
    priorityClassName: context.priorityClassName,
    hostname,
    // P's default account must give the pod nothing, and P's Services are not V's.
    automountServiceAccountToken: false,
    enableServiceLinks: false,
  };
}

/** Without what V decided for V: where and in what order it runs, and as whom. Ephemeral containers cannot be created. */
function withoutVirtual(spec: PodSpec): PodSpec {
  const {
    nodeName: _nodeName,
    affinity: _affinity,
    nodeSelector: _nodeSelector,
    schedulerName: _schedulerName,
    schedulingGates: _schedulingGates,
    priority: _priority,
    // Admission refuses a policy that is not the class's own.
    preemptionPolicy: _preemptionPolicy,
    serviceAccountName: _serviceAccountName,
    serviceAccount: _serviceAccount,
    ephemeralContainers: _ephemeralContainers,
    ...rest
  } = spec;
  return rest;
}

function onlyOn(node: string): Readonly<Record<string, unknown>> {
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  return { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields }] } } };
}
