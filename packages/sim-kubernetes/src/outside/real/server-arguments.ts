import { join } from 'node:path';

export type Ports = { readonly etcd: number; readonly apiServer: number };

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

/** With what every kube-apiserver for tests is started; keys and tokens are those of `writeCredentials`. */
export function serverArgs(folder: string, ports: Ports): readonly string[] {
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
  ];
}
