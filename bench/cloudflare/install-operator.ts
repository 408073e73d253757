import { allKinds, credentialsKind } from '@tributary/cloudflare';
import { crdKind, namespaceKind, secretKind } from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import type { SimCloudflare } from '@tributary/sim-cloudflare';
import { createManifest } from './create-manifest.ts';
import { until } from '../until.ts';

const namespace = 'cloudflare-operator-system';

/** CRDs, and credentials named `main` that are the default. */
export async function installOperator(client: KubeClient, sim: SimCloudflare): Promise<void> {
  for (const kind of allKinds) await client.create(crdKind, { ...kind.toCrd() });
  await until('the kinds are served', async () => isServed(client), 30_000);
  await client.create(namespaceKind, { metadata: { name: namespace } });
  const data = { CLOUDFLARE_API_TOKEN: Buffer.from(sim.token).toString('base64') };
  await client.create(secretKind, { metadata: { name: 'cloudflare', namespace }, data });
  await createManifest(client, credentialsKind, {
    metadata: { name: 'main' },
    spec: { accountId: sim.accountId, authType: 'apiToken', secretRef: { name: 'cloudflare' }, isDefault: true },
  });
}

async function isServed(client: KubeClient): Promise<boolean> {
  const answers = await Promise.allSettled(allKinds.map(async (kind) => client.list(kind)));
  return answers.every(({ status }) => status === 'fulfilled');
}
