import { startCluster } from '../../packages/sim-kubernetes/src/start-cluster.ts';
import { startControlPlane } from '../control-plane/start-control-plane.ts';
import { createAskServer } from './ask-server.ts';
import type { AskServer } from './ask-server.ts';
import { customCrds } from './custom-targets.ts';
import type { FuzzRequest } from './requests.ts';

export type BothServers = {
  readonly embedded: AskServer;
  readonly real: AskServer;
  /** Faults of the embedded server itself. */
  readonly faults: readonly unknown[];
  readonly stop: () => Promise<void>;
};

/** Both servers without controllers: nothing happens between two requests. */
export async function startServers(): Promise<BothServers> {
  const faults: unknown[] = [];
  const [plane, cluster] = await Promise.all([
    startControlPlane({ serviceAccountAdmission: true }),
    startCluster({ controllers: [], onInternalError: (error) => faults.push(error) }),
  ]);
  const real = createAskServer(plane);
  const embedded = createAskServer(cluster);
  await Promise.all([prepare(real), prepare(embedded)]);
  return {
    embedded,
    real,
    faults,
    stop: async () => {
      real.close();
      embedded.close();
      await Promise.all([plane.stop(), cluster.stop()]);
    },
  };
}

async function prepare(server: AskServer): Promise<void> {
  const create = async (path: string, body: object): Promise<void> => {
    const { status, text } = await server.ask(post(path, body));
    if (status !== 201) throw new Error(`${path}: ${text}`);
  };
  await until(async () => (await server.ask({ ...post('/api/v1/namespaces/default', {}), method: 'GET' })).status);
  for (const crd of customCrds) await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', crd);
  for (const name of ['fuzz-a', 'fuzz-b']) await create('/api/v1/namespaces', { metadata: { name } });
  for (const name of ['default', 'fuzz-a', 'fuzz-b']) {
    await create(`/api/v1/namespaces/${name}/serviceaccounts`, { metadata: { name: 'default' } });
  }
  for (const path of ['/apis/owned.example.com/v1/lakes', '/apis/fuzz.example.com/v1/seas']) {
    await until(async () => (await server.ask({ ...post(path, {}), method: 'GET' })).status);
  }
}

function post(path: string, body: object): FuzzRequest {
  return {
    target: '',
    method: 'POST',
    path,
    query: [],
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    body: JSON.stringify(body),
    object: path,
  };
}

async function until(status: () => Promise<number>): Promise<void> {
  for (let left = 400; (await status()) !== 200; left--) {
    if (left === 0) throw new Error('the server did not become ready');
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
