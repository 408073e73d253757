import { parseArgs } from 'node:util';
import type { Component } from './components.ts';
import { goPackages } from './components.ts';
import { obtainBinaries } from './obtain-binaries.ts';
import { startControlPlane } from './start-control-plane.ts';

const usage = `usage: npm run control-plane -- [--with COMPONENT]... [--build-only]

Starts a real kube-apiserver with etcd and prints how to reach it; Ctrl-C ends it.
  --with COMPONENT  also kube-controller-manager, kube-scheduler or kwok
  --build-only      obtain the programs and print their paths`;

const extras = ['kube-controller-manager', 'kube-scheduler', 'kwok'] as const;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      with: { type: 'string', multiple: true, default: [] },
      'build-only': { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(usage);
  const unknown = values.with.filter((name) => !(extras as readonly string[]).includes(name));
  if (unknown.length > 0) throw new Error(`--with does not know ${unknown.join(', ')}\n\n${usage}`);
  const components = extras.filter((name) => values.with.includes(name));
  if (values['build-only']) {
    const all = Object.keys(goPackages) as Component[];
    return console.log(JSON.stringify(await obtainBinaries(all, process.env, console.error), undefined, 2));
  }
  const plane = await startControlPlane({ components, serviceAccountAdmission: components.length > 0 });
  console.log(
    `API server  ${plane.url}\nkubeconfig  export KUBECONFIG=${plane.kubeconfigPath}\nkubectl     ${plane.kubectlPath}`,
  );
  const stop = (): void => void plane.stop().then(() => process.exit(0));
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
