import { join } from 'node:path';
import type { ControlPlaneOptions, ExtraComponent } from './control-plane-options.ts';

type Ports = { readonly etcd: number; readonly apiServer: number };

export function etcdArgs(folder: string, ports: Ports): readonly string[] {
  const client = `http://127.0.0.1:${ports.etcd}`;
  return [
    `--data-dir=${join(folder, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    '--listen-peer-urls=http://127.0.0.1:0',
    // Losing the last writes of a test cluster in a power cut is fine, waiting for the disk is not.
    '--unsafe-no-fsync',
    '--log-level=error',
  ];
}

export function apiServerArgs(folder: string, ports: Ports, options: ControlPlaneOptions): readonly string[] {
  return [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    `--secure-port=${ports.apiServer}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${join(folder, 'certs')}`,
    `--service-account-key-file=${join(folder, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(folder, 'sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--token-auth-file=${join(folder, 'tokens.csv')}`,
    '--authorization-mode=RBAC',
    '--service-cluster-ip-range=10.96.0.0/16',
    '--allow-privileged=true',
    ...(options.serviceAccountAdmission ? [] : ['--disable-admission-plugins=ServiceAccount']),
    ...(options.audit
      ? [
          `--audit-policy-file=${join(folder, 'audit-policy.yaml')}`,
          `--audit-log-path=${join(folder, 'audit.log')}`,
          '--audit-log-mode=blocking',
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
