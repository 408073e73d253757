// The real kube-controller-manager and kube-scheduler, pointed at the embedded server.
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { schedulerConfig } from '../../../../../tools/control-plane/arguments.ts';
import { obtainBinaries } from '../../../../../tools/control-plane/obtain-binaries.ts';

/** Those that a Deployment needs, and what keeps a cluster tidy; the others want kinds that are not served. */
const controllers = [
  'deployment-controller',
  'replicaset-controller',
  'garbage-collector-controller',
  'namespace-controller',
  'serviceaccount-controller',
  'endpointslice-controller',
  'job-controller',
  'statefulset-controller',
  'disruption-controller',
];

export type Controllers = {
  /** Lines that a program wrote as an error, without their time. */
  readonly errors: () => readonly string[];
  readonly running: () => boolean;
  readonly stop: () => void;
};

export type Folder = { readonly path: string; readonly kubeconfig: string };

export function createFolder(): Folder {
  const path = mkdtempSync(join(tmpdir(), 'tributary-programs-'));
  return { path, kubeconfig: join(path, 'kubeconfig') };
}

export async function runControllers({ path, kubeconfig }: Folder, ca: string): Promise<Controllers> {
  const names = ['kube-controller-manager', 'kube-scheduler'] as const;
  const binaries = await obtainBinaries(names, process.env, () => undefined);
  const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  writeFileSync(join(path, 'sa.key'), key.export({ type: 'pkcs1', format: 'pem' }));
  writeFileSync(join(path, 'ca.crt'), ca);
  writeFileSync(join(path, 'scheduler.yaml'), schedulerConfig(kubeconfig));
  const args: Readonly<Record<(typeof names)[number], readonly string[]>> = {
    'kube-controller-manager': [
      `--kubeconfig=${kubeconfig}`,
      `--service-account-private-key-file=${join(path, 'sa.key')}`,
      `--root-ca-file=${join(path, 'ca.crt')}`,
      `--controllers=${controllers.join(',')}`,
      '--leader-elect=false',
      '--secure-port=0',
    ],
    'kube-scheduler': [`--config=${join(path, 'scheduler.yaml')}`, '--secure-port=0'],
  };
  const children = names.map((name): ChildProcess => {
    const log = openSync(join(path, `${name}.log`), 'a');
    return spawn(binaries[name], args[name], { stdio: ['ignore', log, log] });
  });
  return {
    errors: () => names.flatMap((name) => errorsIn(readFileSync(join(path, `${name}.log`), 'utf8'))),
    running: () => children.every(({ exitCode, signalCode }) => exitCode === null && signalCode === null),
    stop: () => {
      for (const child of children) child.kill('SIGKILL');
      rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Lines of klog: a letter for the severity, date, time, process, place, then the text. */
function errorsIn(log: string): readonly string[] {
  return log.split('\n').flatMap((line) => {
    const found = /^[EF]\d{4} \S+ +\d+ \S+\] (.*)$/.exec(line);
    return found?.[1] === undefined ? [] : [found[1]];
  });
}
