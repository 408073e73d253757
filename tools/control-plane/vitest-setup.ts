import type { TestProject } from 'vitest/node';
import { startControlPlane } from './start-control-plane.ts';
import type { ControlPlane } from './start-control-plane.ts';

/** What a test gets by `inject('controlPlane')`: enough to reach the server, all of it plain data. */
export type ProvidedControlPlane = Pick<
  ControlPlane,
  'url' | 'ca' | 'token' | 'kubeconfigPath' | 'kubectlPath' | 'etcdUrl' | 'auditLogPath'
>;

declare module 'vitest' {
  // Vitest merges this declaration into its own, which only an interface can do.
  // oxlint-disable-next-line typescript/consistent-type-definitions
  export interface ProvidedContext {
    controlPlane: ProvidedControlPlane;
  }
}

type Shared = { plane: Promise<ControlPlane>; users: number };

// One control plane for all projects of a run, though each project loads this file for itself.
const shared = globalThis as { tributaryControlPlane?: Shared };

/** Vitest's global setup of the projects that need a real control plane. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const held = (shared.tributaryControlPlane ??= {
    plane: startControlPlane({ components: ['kube-controller-manager'], audit: true, serviceAccountAdmission: true }),
    users: 0,
  });
  held.users += 1;
  const { url, ca, token, kubeconfigPath, kubectlPath, etcdUrl, auditLogPath } = await held.plane;
  project.provide('controlPlane', { url, ca, token, kubeconfigPath, kubectlPath, etcdUrl, auditLogPath });
  return async () => {
    held.users -= 1;
    if (held.users > 0) return;
    delete shared.tributaryControlPlane;
    await (await held.plane).stop();
  };
}
