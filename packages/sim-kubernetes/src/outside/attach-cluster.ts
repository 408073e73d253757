import { createUndiciTransport, loadClusterAccess, systemAccessDeps } from '@tributary/runtime/access';
import { systemClock } from '@tributary/runtime/clock';
import { gatherManifests } from '../gather-manifests.ts';
import { openWebhooks } from '../local-webhooks/open-webhooks.ts';
import { install, uninstall, whenEstablished } from './install-over-http.ts';
import type { ControlPlane, OutsideCluster, OutsideOptions } from './outside-options.ts';

/** Prepares a cluster that runs outside of this process: CRDs installed and served, webhooks reachable. */
export async function attachCluster(options: OutsideOptions, env: NodeJS.ProcessEnv): Promise<OutsideCluster> {
  const started: ControlPlane | undefined = 'real' in options ? await options.real() : undefined;
  try {
    return await prepare(options, started, env);
  } catch (error) {
    await started?.stop();
    throw error;
  }
}

async function prepare(
  options: OutsideOptions,
  started: ControlPlane | undefined,
  env: NodeJS.ProcessEnv,
): Promise<OutsideCluster> {
  const deps = systemAccessDeps(env);
  const chosen = 'existing' in options ? { kubeconfig: options.kubeconfigPath, context: options.context } : {};
  const access = await loadClusterAccess(started ? { kubeconfig: started.kubeconfigPath } : chosen, deps);
  const open = (): ReturnType<typeof createUndiciTransport> => createUndiciTransport({ access }, deps);
  const transport = open();
  const webhooks = options.webhooks && (await openWebhooks(options.webhooks, true));
  const manifests = await gatherManifests(options, webhooks?.place);
  for (const crd of manifests.crds) await install(transport, crd);
  for (const crd of manifests.crds) await whenEstablished(transport, crd, systemClock);
  for (const configuration of manifests.configurations) await install(transport, configuration);
  return {
    url: access.server,
    transport: open,
    ...(webhooks && { webhooks: webhooks.place }),
    stop: async () => {
      // A cluster that lives on must not be left asking a webhook that is gone.
      if (!started) for (const configuration of manifests.configurations) await uninstall(transport, configuration);
      await transport.close();
      await webhooks?.close();
      await started?.stop();
    },
  };
}
