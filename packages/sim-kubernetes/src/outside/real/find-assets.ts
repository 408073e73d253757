import { existsSync } from 'node:fs';
import { join } from 'node:path';

const programs = ['etcd', 'kube-apiserver'] as const;
export type Program = (typeof programs)[number];

/** Where setup-envtest and others put the programs, when no variable says so. */
const usual = '/usr/local/kubebuilder/bin';

/** The real programs: in the given folder, else where KUBEBUILDER_ASSETS says, else where envtest looks. */
export function findAssets(given: string | undefined, env: NodeJS.ProcessEnv): Readonly<Record<Program, string>> {
  const folder = given ?? env['KUBEBUILDER_ASSETS'] ?? usual;
  const missing = programs.filter((program) => !existsSync(join(folder, program)));
  if (missing.length > 0) {
    throw new Error(
      `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not in ${folder}: set KUBEBUILDER_ASSETS, ` +
        'or assetsPath, to a folder with etcd and kube-apiserver (`setup-envtest use -p path` prints one).',
    );
  }
  return { etcd: join(folder, 'etcd'), 'kube-apiserver': join(folder, 'kube-apiserver') };
}
