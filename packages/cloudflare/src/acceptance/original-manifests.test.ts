import { connect, crdKind } from '@tributary/runtime';
import type { KubeClient } from '@tributary/runtime';
import { startCluster } from '@tributary/sim-kubernetes';
import type { Cluster } from '@tributary/sim-kubernetes';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allKinds } from '../catalog.ts';
import { tunnelConverters } from '../conversion/tunnel-converters.ts';
import { readManifestTables } from './testing/manifest-tables.ts';
import { namedBy } from './testing/named-by.ts';
import { notRefused, notTaken } from './testing/try-forms.ts';

// Whoever comes from the original operator edits no manifest: every form that it took is taken, and nothing of it is
// dropped. What is wrong is refused before it is stored, by a message that names the field.

let cluster: Cluster;
let client: KubeClient;
beforeAll(async () => {
  cluster = await startCluster({ converters: tunnelConverters, listen: false });
  ({ client } = connect({ transport: cluster.transport(), userAgent: 'user' }));
  for (const kind of allKinds) await client.create(crdKind, { ...kind.toCrd() });
});
afterAll(async () => cluster.stop());

test('the forms of a kind name every field that it has, and every value of an enum', () => {
  const { unnamed, known } = namedBy(readManifestTables(), allKinds);
  expect(unnamed).toEqual([]);
  expect(known).toBeGreaterThan(1500);
});

describe.each(readManifestTables())('$kind of $apiVersion', ({ accepted, refused }) => {
  test('takes every form of the original and stores all of it', async () => {
    expect(await notTaken({ client, kinds: allKinds }, accepted)).toEqual([]);
  });

  test('refuses what is wrong, and names the field', async () => {
    expect(await notRefused({ client, kinds: allKinds }, refused)).toEqual([]);
  });
});
