import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  connect,
  createUndiciTransport,
  defineKind,
  secretKind,
  staticAuth,
  systemAccessDeps,
  toYaml,
} from '@tributary/runtime';
import type { AnyObject, KubeClient, Transport } from '@tributary/runtime';
import { startSimCloudflare } from '@tributary/sim-cloudflare';
import type { SimCloudflare, SimCloudflareOptions } from '@tributary/sim-cloudflare';
import { toKubeconfig } from '../../../../../tools/control-plane/kubeconfig.ts';
import { startControlPlane } from '../../../../../tools/control-plane/start-control-plane.ts';
import type { ControlPlane } from '../../../../../tools/control-plane/start-control-plane.ts';
import { allKinds } from '../../catalog.ts';
import { cloudflareManifests } from '../../manifests.ts';
import { createKubectl } from './kubectl.ts';
import type { Kubectl } from './kubectl.ts';
import { until } from './until.ts';

export const operatorNamespace = 'cloudflare-operator-system';
export const examplesFolder = join(import.meta.dirname, '../../../../../examples/cloudflare');

/** A real API server with what `tributary manifests cloudflare` prints and the credentials of the examples; nothing runs yet. */
export type InstalledCluster = {
  readonly plane: ControlPlane;
  readonly sim: SimCloudflare;
  /** An administrator's. */
  readonly client: KubeClient;
  readonly kubectl: Kubectl;
  /** As the operator's own ServiceAccount, with no more rights than the manifests give it. */
  readonly ownTransport: () => Transport;
  readonly ownKubeconfig: string;
  readonly stop: () => Promise<void>;
};

export async function installCluster(simulated: SimCloudflareOptions = {}): Promise<InstalledCluster> {
  const [plane, sim] = await Promise.all([startControlPlane({}), startSimCloudflare(simulated)]);
  const kubectl = createKubectl(plane);
  const opened: Transport[] = [];
  const transportOf = (token: string): Transport => {
    const access = {
      server: plane.url,
      tls: { ca: { data: plane.ca } },
      auth: staticAuth({ authorization: `Bearer ${token}` }),
    };
    const transport = createUndiciTransport({ access }, systemAccessDeps({}));
    opened.push(transport);
    return transport;
  };
  const { client } = connect({ transport: transportOf(plane.token), userAgent: 'user' });
  await kubectl(['apply', '--server-side', '-f', '-'], toDocuments(cloudflareManifests()));
  await until('the kinds are served', async () => isServed(client));
  await addCredentials(client, kubectl, sim);
  const token = await ownToken(client);
  const ownKubeconfig = join(plane.folder, 'operator-kubeconfig');
  writeFileSync(ownKubeconfig, toKubeconfig({ url: plane.url, ca: plane.ca, token }));
  return {
    plane,
    sim,
    client,
    kubectl,
    ownTransport: () => transportOf(token),
    ownKubeconfig,
    stop: async () => {
      for (const transport of opened) await transport.close();
      await sim.stop();
      await plane.stop();
    },
  };
}

export function toDocuments(objects: readonly AnyObject[]): string {
  return objects.map((object) => toYaml(object)).join('---\n');
}

async function isServed(client: KubeClient): Promise<boolean> {
  const answers = await Promise.allSettled(allKinds.map(async (kind) => client.list(kind, { limit: 1 })));
  return answers.every(({ status }) => status === 'fulfilled');
}

async function addCredentials(client: KubeClient, kubectl: Kubectl, { token }: SimCloudflare): Promise<void> {
  const data = { CLOUDFLARE_API_TOKEN: Buffer.from(token).toString('base64') };
  for (const namespace of [operatorNamespace, 'default']) {
    await client.create(secretKind, { metadata: { name: 'cloudflare', namespace }, data });
  }
  await kubectl(['apply', '-f', '-'], readFileSync(join(examplesFolder, 'credentials', 'main.yaml'), 'utf8'));
}

async function ownToken(client: KubeClient): Promise<string> {
  const accounts = defineKind({
    group: '',
    version: 'v1',
    kind: 'ServiceAccount',
    plural: 'serviceaccounts',
    scope: 'Namespaced',
  });
  const wanted = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 3600 } };
  const ref = { namespace: operatorNamespace, name: 'cloudflare-operator' };
  const { status } = await client.createSubresource<{ status: { token: string } }>(accounts, ref, 'token', wanted);
  return status.token;
}
