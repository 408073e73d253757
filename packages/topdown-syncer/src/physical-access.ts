import { loadClusterAccess, OperatorError, secretKind } from '@tributary/runtime';
import type { AccessDeps, ClusterAccess, Informer, KubeClient, Runnable, Secret } from '@tributary/runtime';
import type { ClusterBinding } from './contract/cluster-binding.ts';
import { kubeconfigKey } from './contract/keys.ts';

/** The kubeconfig that the binding's Secret holds. */
export async function readPhysicalKubeconfig(
  client: Pick<KubeClient, 'get'>,
  { metadata, spec }: ClusterBinding,
): Promise<string> {
  const { name = '', namespace = '' } = spec.secretRef;
  if (name === '' || namespace === '') throw badSecret(`ClusterBinding ${metadata.name ?? ''} names no Secret`);
  const text = kubeconfigOf(await client.get(secretKind, { namespace, name }));
  if (text === '') throw badSecret(`Secret ${namespace}/${name} has no ${kubeconfigKey}`);
  return text;
}

/**
 * The way into P. A kubeconfig out of a Secret may neither run programs nor read files here: whoever can write the Secret would
 * otherwise act as the syncer.
 */
export async function toPhysicalAccess(kubeconfig: string, deps: AccessDeps): Promise<ClusterAccess> {
  const path = 'the kubeconfig of the physical cluster';
  const refuse = async (): Promise<never> => {
    throw badSecret(`${path} may neither name files nor a plugin: put certificates and tokens into it`);
  };
  const readFile = async (asked: string): Promise<string> => (asked === path ? kubeconfig : refuse());
  return loadClusterAccess({ kubeconfig: path }, { ...deps, readFile, modifiedMs: refuse, run: refuse });
}

/** Ends the process when the kubeconfig is another one: the next process connects with it. */
export function createKubeconfigWatch(
  { spec }: ClusterBinding,
  known: string,
  secrets: Pick<Informer<Secret>, 'onChange'>,
): Runnable {
  const { name, namespace } = spec.secretRef;
  return {
    name: 'kubeconfig-watch',
    runs: 'always',
    run: async (signal) => {
      const ended = Promise.withResolvers<void>();
      const stop = secrets.onChange(({ type, object }) => {
        if (object.metadata.name !== name || object.metadata.namespace !== namespace || type === 'deleted') return;
        if (kubeconfigOf(object) === known) return;
        const message = `Secret ${namespace ?? ''}/${name ?? ''} holds another kubeconfig now: starting anew with it`;
        ended.reject(new OperatorError('syncer/kubeconfig-changed', message, { kind: 'never' }));
      });
      signal.addEventListener('abort', () => ended.resolve(), { once: true });
      if (signal.aborted) ended.resolve();
      await ended.promise.finally(stop);
    },
  };
}

function kubeconfigOf({ data }: Secret): string {
  return Buffer.from(data?.[kubeconfigKey] ?? '', 'base64').toString('utf8');
}

function badSecret(message: string): OperatorError {
  return new OperatorError('syncer/bad-kubeconfig', message, { kind: 'never' });
}
