// etcd and kube-apiserver as processes of this one, as envtest starts them: no other part of a control plane runs.
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { issueCertificate } from '@tributary/runtime/certificates';
import type { NewUser } from '../../auth/create-users.ts';
import { kubeconfigText } from '../../http/kubeconfig.ts';
import { writeCredentials } from './credentials.ts';
import type { Program } from './find-assets.ts';
import { freePort } from './free-port.ts';
import { createProcessSet } from './process-set.ts';
import { etcdArgs, serverArgs } from './server-arguments.ts';
import { untilReady } from './until-ready.ts';

export type RealServer = {
  readonly kubeconfigPath: string;
  /** Of an administrator. */
  readonly kubeconfig: string;
  readonly addUser: (user: NewUser) => { readonly kubeconfig: string };
  /** Ends the programs and removes what they wrote. */
  readonly stop: () => Promise<void>;
};

const authorityName = 'tributary-ca';

/** Ends with `stop`, or with this process, however that ends. */
export async function startRealServer(
  binaries: Readonly<Record<Program, string>>,
  env: NodeJS.ProcessEnv,
): Promise<RealServer> {
  const folder = mkdtempSync(join(tmpdir(), 'real-kubernetes-'));
  const processes = createProcessSet(folder, binaries, env);
  const authority = issueCertificate({ commonName: authorityName, usage: 'authority', nowMs: Date.now() });
  const clientCa = join(folder, 'client-ca.crt');
  writeFileSync(clientCa, authority.certificate);
  const { token } = writeCredentials(folder, []);
  const ports = { etcd: await freePort(), apiServer: await freePort() };
  const server = `https://127.0.0.1:${ports.apiServer}`;
  processes.start('etcd', etcdArgs(folder, ports));
  // Nobody makes accounts here, so pods must do without, as with envtest.
  const more = [`--client-ca-file=${clientCa}`, '--disable-admission-plugins=ServiceAccount'];
  processes.start('kube-apiserver', [...serverArgs(folder, ports), ...more]);
  if (!(await untilReady(server, token, () => processes.running('kube-apiserver')))) {
    const log = readFileSync(join(folder, 'kube-apiserver.log'), 'utf8');
    await processes.end();
    throw new Error(`kube-apiserver did not become ready; the end of its log:\n${log.slice(-3000)}`);
  }
  const ca = readFileSync(join(folder, 'certs', 'apiserver.crt'), 'utf8');
  const kubeconfig = kubeconfigText({ server, ca, user: 'admin', token });
  const kubeconfigPath = join(folder, 'kubeconfig');
  writeFileSync(kubeconfigPath, kubeconfig, { mode: 0o600 });
  const addUser = ({ name, groups = [] }: NewUser): { readonly kubeconfig: string } => {
    const request = { commonName: name, organizations: groups, usage: 'client' as const, nowMs: Date.now() };
    const certificate = issueCertificate(request, { ...authority, name: authorityName });
    return { kubeconfig: kubeconfigText({ server, ca, user: name, certificate }) };
  };
  return { kubeconfigPath, kubeconfig, addUser, stop: processes.end };
}
