import {
  connect,
  crdKind,
  createOperatorProcess,
  createUndiciTransport,
  getCondition,
  namespaceKind,
  silentLog,
  staticAuth,
  systemAccessDeps,
} from '@tributary/runtime';
import type { Condition, Kind, KubeClient, KubeObject, ObjectRef, Transport } from '@tributary/runtime';
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
  /** An object of this name, in the namespace `default` where it is in any. */
  readonly create: (kind: Kind<KubeObject>, name: string, spec: object) => Promise<void>;
  /** The object once it is so; Ready for what it says now, when nothing else is asked for. */
  readonly untilReady: (kind: Kind<KubeObject>, name: string, holds?: (told: Told) => boolean) => Promise<Told>;
  /** Deletes it, and waits until it is gone. */
  readonly untilGone: (kind: Kind<KubeObject>, name: string) => Promise<void>;
  /** Asks until it holds; half a minute at most. */
  readonly until: (what: string, holds: () => Promise<boolean>) => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type Told = KubeObject & {
  readonly status?: { readonly conditions?: readonly Condition[] } & Readonly<Record<string, unknown>>;
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
    ...objectsIn(client, get),
    stop: async () => {
      ended.abort();
      await running;
      for (const transport of transports) await transport.close();
      await sim.stop();
      await plane.stop();
    },
  };
}

function objectsIn(client: KubeClient, get: RealWorld['get']): Pick<RealWorld, 'create' | 'untilReady' | 'untilGone'> {
  return {
    create: async (kind, name, spec) => {
      const object = { metadata: placeOf(kind, name), spec };
      await client.create(kind, object);
    },
    untilReady: async (kind, name, holds = isReady) => {
      let found: Told | undefined;
      await until(`${kind.kind} ${name} is as it should be`, async () => {
        found = await get(kind, placeOf(kind, name));
        return found !== undefined && holds(found);
      });
      return found ?? { metadata: {} };
    },
    untilGone: async (kind, name) => {
      await client.delete(kind, placeOf(kind, name));
      await until(`${kind.kind} ${name} is gone`, async () => (await get(kind, placeOf(kind, name))) === undefined);
    },
  };
}

function placeOf({ scope }: Kind<KubeObject>, name: string): { readonly namespace?: string; readonly name: string } {
  return scope === 'Namespaced' ? { namespace: 'default', name } : { name };
}

function isReady({ metadata, status }: Told): boolean {
  const ready = getCondition(status?.conditions, 'Ready');
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation;
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
