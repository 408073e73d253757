import {
  connect,
  crdKind,
  createOperatorProcess,
  createUndiciTransport,
  namespaceKind,
  silentLog,
  staticAuth,
  systemAccessDeps,
} from '@tributary/runtime';
import type { Kind, KubeClient, KubeObject, ObjectRef, Transport } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { startControlPlane } from '../../../../tools/control-plane/start-control-plane.ts';
import { allKinds } from '../catalog.ts';
import { createCloudflareOperator } from '../operator.ts';

const operatorNamespace = 'cloudflare-operator-system';

/** A real kube-apiserver of its own, since CRDs are for all of a server, the simulated Cloudflare, and the operator. */
export type RealWorld = {
  readonly client: KubeClient;
  readonly sim: SimCloudflare;
  readonly get: <T extends KubeObject>(kind: Kind<T>, ref: ObjectRef) => Promise<T | undefined>;
  /** Asks until it holds; half a minute at most. */
  readonly until: (what: string, holds: () => Promise<boolean>) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export async function startRealWorld(): Promise<RealWorld> {
  const plane = await startControlPlane({});
  const sim = await startSimCloudflare();
  const auth = staticAuth({ authorization: `Bearer ${plane.token}` });
  const access = { server: plane.url, tls: { ca: { data: plane.ca } }, auth };
  const transports = [
    createUndiciTransport({ access }, systemAccessDeps({})),
    createUndiciTransport({ access }, systemAccessDeps({})),
  ];
  const [ours, users] = transports as [Transport, Transport];
  const { client } = connect({ transport: users, userAgent: 'user' });
  await install(client, sim);
  const ended = new AbortController();
  const running = runOperator(ours, sim, ended.signal);
  const get: RealWorld['get'] = async (kind, ref) => client.get(kind, ref).catch(() => undefined);
  return {
    client,
    sim,
    get,
    until,
    stop: async () => {
      ended.abort();
      await running;
      for (const transport of transports) await transport.close();
      await sim.stop();
      await plane.stop();
    },
  };
}

async function runOperator(transport: Transport, sim: SimCloudflare, signal: AbortSignal): Promise<void> {
  const process = createOperatorProcess(
    {
      name: 'replica-1',
      transport,
      election: { lease: { namespace: operatorNamespace, name: 'cloudflare-operator' }, identity: 'replica-1' },
      metricsAddress: '0',
      healthAddress: '0',
      build: (parts) =>
        createCloudflareOperator({ operatorNamespace, baseUrl: sim.url }, { ...parts, fetch: sim.fetch }),
    },
    { log: silentLog },
  );
  await process.run(signal);
}

async function install(client: KubeClient, { accountId, token }: SimCloudflare): Promise<void> {
  for (const kind of allKinds) await client.create(crdKind, { ...kind.toCrd() });
  await until('the kinds are served', async () => {
    const answers = await Promise.allSettled(allKinds.map(async (kind) => client.list(kind)));
    return answers.every(({ status }) => status === 'fulfilled');
  });
  await client.create(namespaceKind, { metadata: { name: operatorNamespace } });
  const secret = {
    metadata: { name: 'token', namespace: operatorNamespace },
    stringData: { CLOUDFLARE_API_TOKEN: token },
  };
  await client.create(coreKind('Secret', 'secrets'), secret);
  const credentials = allKinds.find(({ kind }) => kind === 'CloudflareCredentials');
  const spec = { accountId, secretRef: { name: 'token' }, isDefault: true };
  if (credentials) await client.create(credentials, { metadata: { name: 'main' }, spec });
}

function coreKind(kind: string, plural: string): Kind {
  return { group: '', version: 'v1', kind, plural, scope: 'Namespaced' };
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  const endsMs = performance.now() + 30_000;
  while (!(await holds())) {
    if (performance.now() > endsMs) throw new Error(`waited in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
