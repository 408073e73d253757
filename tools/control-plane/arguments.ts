import { join } from 'node:path';
import { serverArgs } from '../../packages/sim-kubernetes/src/outside/real/server-arguments.ts';
import type { Ports } from '../../packages/sim-kubernetes/src/outside/real/server-arguments.ts';
import type { ControlPlaneOptions, ExtraComponent } from './control-plane-options.ts';

export function apiServerArgs(folder: string, ports: Ports, options: ControlPlaneOptions): readonly string[] {
  return [
    ...serverArgs(folder, ports),
    ...(options.serviceAccountAdmission ? [] : ['--disable-admission-plugins=ServiceAccount']),
    ...(options.audit
      ? [
          `--audit-policy-file=${join(folder, 'audit-policy.yaml')}`,
          `--audit-log-path=${join(folder, 'audit.log')}`,
          '--audit-log-mode=blocking',
          // In megabytes: who counts requests needs them all in one file.
          '--audit-log-maxsize=100000',
        ]
      : []),
    ...(options.extraApiServerArgs ?? []),
  ];
}

export const auditPolicy =
  'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{ level: Metadata }]\n';

export function extraArgs(component: ExtraComponent, folder: string): readonly string[] {
  switch (component) {
    case 'kube-controller-manager':
      return controllerManagerArgs(folder);
    case 'kube-scheduler':
      return schedulerArgs(folder);
    case 'kwok':
      return kwokArgs(folder);
    default:
      return component satisfies never;
  }
}

function controllerManagerArgs(folder: string): readonly string[] {
  return [
    `--kubeconfig=${join(folder, 'kubeconfig')}`,
    `--service-account-private-key-file=${join(folder, 'sa.key')}`,
    `--root-ca-file=${join(folder, 'certs', 'apiserver.crt')}`,
    '--leader-elect=false',
    '--kube-api-qps=500',
    '--kube-api-burst=1000',
    '--secure-port=0',
  ];
}

function schedulerArgs(folder: string): readonly string[] {
  return [`--config=${join(folder, 'scheduler.yaml')}`, '--secure-port=0'];
}

export function schedulerConfig(kubeconfigPath: string): string {
  return [
    'apiVersion: kubescheduler.config.k8s.io/v1',
    'kind: KubeSchedulerConfiguration',
    'leaderElection: { leaderElect: false }',
    `clientConnection: { kubeconfig: ${JSON.stringify(kubeconfigPath)}, qps: 1000, burst: 2000 }`,
    '',
  ].join('\n');
}

function kwokArgs(folder: string): readonly string[] {
  return [
    `--kubeconfig=${join(folder, 'kubeconfig')}`,
    '--manage-all-nodes=true',
    '--node-lease-duration-seconds=40',
    `--config=${join(folder, 'kwok.yaml')}`,
  ];
}
