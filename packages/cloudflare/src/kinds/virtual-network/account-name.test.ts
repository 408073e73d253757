import { afterEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../../engine/l4-state/sync-state.ts';
import { custom } from '../../scenarios/testing/crash-objects.ts';
import { operatorNamespace } from '../../testing/replicas.ts';
import { createWorld } from '../../testing/world.ts';
import type { World, WorldOptions } from '../../testing/world.ts';
import { virtualNetworkKind } from './resource.ts';

// The older form: a Secret beside the object, and the account by its name.

let world: World | undefined;
afterEach(async () => world?.stop());

async function start(accountName: (made: World) => string, options: WorldOptions = {}): Promise<World> {
  const made = (world = await createWorld(options));
  const metadata = { name: 'legacy', namespace: operatorNamespace };
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { CLOUDFLARE_API_TOKEN: made.sim.token } };
  const cloudflare = { secret: 'legacy', accountName: accountName(made) };
  await made.apply([secret, custom('VirtualNetwork', 'office', { name: 'office', cloudflare })]);
  return made;
}

const office = (made: World) => made.get(virtualNetworkKind, { name: 'office' });
const ready = (made: World) => office(made)?.status?.conditions?.find(({ type }) => type === 'Ready');

describe('an account by its name', () => {
  test('is looked up once, and the object is made in it', async () => {
    const made = await start(nameOf);
    await made.waitFor(() => ready(made)?.status === 'True');
    expect(office(made)?.status).toMatchObject({ accountId: made.sim.accountId });
    expect(made.sim.journal.calls().filter(({ path }) => path.endsWith('/accounts'))).toHaveLength(1);
    made.clearCounts();
    await made.clock.advance(600_000);
    expect(made.writes()).toEqual([]);
    expect(made.sim.journal.calls()).toEqual([]);
  });

  test('that nobody has is told, in the words of the field', async () => {
    const made = await start(() => 'No Such Account');
    await made.waitFor(() => ready(made)?.reason === 'AccountNotFound');
    expect(ready(made)?.message).toMatch(
      /^spec\.cloudflare\.accountName: the credentials see no account named No Such/,
    );
  });

  test('that two accounts have leads to neither: both are named, and an id decides', async () => {
    const [one, two] = ['1'.repeat(32), '2'.repeat(32)];
    const twins = [one, two].map((id) => ({ name: 'Twin', id }));
    const made = await start(() => 'Twin', { sim: { accounts: [{ name: 'Tributary' }, ...twins] } });
    await made.waitFor(() => ready(made)?.reason === 'AccountNotFound');
    expect(ready(made)).toMatchObject({
      status: 'False',
      message: `spec.cloudflare.accountName: 2 accounts are named Twin: ${one}, ${two}; say which by accountId`,
    });
    made.clearCounts();
    await made.clock.advance(3_600_000);
    expect(made.writes()).toEqual([]);
    expect(made.sim.journal.calls().filter(({ changed }) => changed)).toEqual([]);
    const cloudflare = { secret: 'legacy', accountName: 'Twin', accountId: two };
    await made.apply(custom('VirtualNetwork', 'office', { name: 'office', cloudflare }));
    await made.waitFor(() => ready(made)?.status === 'True');
    expect(office(made)?.status).toMatchObject({ accountId: two });
    expect(made.list(syncStateKind).map(({ spec }) => spec.resourceType)).toEqual(['VirtualNetwork']);
  });

  test('goes with the object: nothing is left of the lookup', async () => {
    const made = await start(nameOf);
    await made.waitFor(() => ready(made)?.status === 'True');
    await made.delete(virtualNetworkKind, { name: 'office' });
    await made.waitFor(() => office(made) === undefined);
    await made.clock.advance(5000);
    expect(made.list(syncStateKind)).toEqual([]);
  });
});

function nameOf({ sim }: World): string {
  const { body } = sim.dashboard('GET', `/accounts/${sim.accountId}`) as {
    readonly body: { readonly result: { readonly name: string } };
  };
  return body.result.name;
}
