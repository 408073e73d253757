import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { deploymentKind } from '../refs/tunnels/deployment-kind.ts';
import { createAccessWorld } from './testing/access-world.ts';

// Whole worlds, on a machine that may be busy.
vi.setConfig({ testTimeout: 60_000 });

const folder = join(import.meta.dirname, '../../../../examples/cloudflare/access');

test('the examples of Access become ready, whatever order they are applied in', async () => {
  const { world, untilReady, list } = await createAccessWorld();
  for (const file of readdirSync(folder)) await world.apply(readFileSync(join(folder, file), 'utf8'));
  await untilReady('AccessApplication', 'wiki');
  for (const name of ['one-time-pin', 'github']) await untilReady('AccessIdentityProvider', name);
  await untilReady('AccessServiceToken', 'backup');
  await world.waitFor(() => world.get(deploymentKind, { namespace: 'default', name: 'database' }) !== undefined);
  const policies = (list('apps')[0]?.['policies'] ?? []) as readonly { readonly name: string }[];
  expect(policies.map(({ name }) => name)).toEqual(['employees - allow', 'No robots', 'monitoring']);
  await world.stop();
});
