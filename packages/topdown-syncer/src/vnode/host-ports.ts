import type { ContainerPort, Pod } from '../contract/pod.ts';
import { fakePodNamespace, labels, managedByValue } from '../contract/keys.ts';

/** A port of a node that somebody else has taken. */
export type TakenPort = Readonly<{ containerPort: number; hostPort: number; protocol: string; hostIP: string }>;

/** The ports that these pods have taken of their node, each once, always in the same order. */
export function takenPorts(pods: readonly Pod[]): readonly TakenPort[] {
  const found = pods.flatMap(({ spec }) =>
    [...spec.containers, ...(spec.initContainers ?? [])].flatMap(({ ports = [] }) => ports.flatMap(toTaken)),
  );
  const unique = new Map(found.map((port) => [idOf(port), port]));
  return [...unique].toSorted(([left], [right]) => (left < right ? -1 : 1)).map(([, port]) => port);
}

function toTaken(port: ContainerPort): readonly TakenPort[] {
  if (!port.hostPort) return [];
  const { containerPort, hostPort } = port;
  const text = (field: string, otherwise: string): string => (port[field] as string | undefined) || otherwise;
  return [{ containerPort, hostPort, protocol: text('protocol', 'TCP'), hostIP: text('hostIP', '0.0.0.0') }];
}

function idOf({ hostIP, protocol, hostPort }: TakenPort): string {
  return `${hostIP}/${protocol}/${String(hostPort).padStart(5, '0')}`;
}

/** A pod that never runs and keeps these ports of a virtual node from being given away. */
export function toGuardPod(vnode: string, ports: readonly TakenPort[]): Pod {
  return {
    metadata: {
      namespace: fakePodNamespace,
      generateName: 'fake-pod-for-hostport-',
      labels: { [labels.hostPortFakePod]: 'true', [labels.managedBy]: managedByValue },
    },
    spec: {
      nodeName: vnode,
      priorityClassName: 'system-node-critical',
      tolerations: [{ operator: 'Exists' }],
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      containers: [
        {
          name: 'fake-container',
          image: 'busybox:1.28',
          command: ['sleep', '100000000'],
          ports: ports.map((port, index) => ({ name: `port-${index}`, ...port })),
        },
      ],
    },
  };
}

/** Whether a guard keeps exactly these ports. */
export function guards({ spec }: Pod, ports: readonly TakenPort[]): boolean {
  const kept = takenPorts([{ metadata: {}, spec }]);
  return kept.length === ports.length && kept.every((port, index) => idOf(port) === idOf(ports[index] ?? port));
}
