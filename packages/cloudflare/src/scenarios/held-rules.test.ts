import { configMapKind, eventKind } from '@tributary/runtime';
import { afterEach, expect, test } from 'vitest';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { deleteObjects } from '../testing/apply-objects.ts';
import { ingress } from './testing/ingress-objects.ts';
import { createTunnelWorld } from './testing/tunnel-world.ts';
import type { TunnelWorld } from './testing/tunnel-world.ts';

let world: TunnelWorld | undefined;
afterEach(async () => world?.stop());

function eventsOf(made: TunnelWorld, name: string): readonly string[] {
  return made
    .list(eventKind)
    .map((event) => event as unknown as Told)
    .filter(({ involvedObject, regarding }) => (regarding ?? involvedObject)?.name === name)
    .map(({ reason, note, message }) => `${reason}: ${note ?? message ?? ''}`);
}

type Named = { readonly name?: string };
type Told = {
  readonly reason: string;
  readonly note?: string;
  readonly message?: string;
  readonly involvedObject?: Named;
  readonly regarding?: Named;
};

test('an Ingress that comes to a tunnel whose rules are held from deletion hears that a person is waited for', async () => {
  const made = (world = await createTunnelWorld());
  const many = Array.from({ length: 15 }, (_, index) => ingress(`app${index}`));
  await made.apply(many);
  await made.waitFor(() => made.routes().length === 15);
  await made.clock.advance(10_000);
  await deleteObjects(many.slice(0, 12), made.user.client, made.cluster.registry);
  const plan = () => made.list(configMapKind).find(({ metadata }) => metadata.name?.startsWith('deletion-held-'));
  await made.waitFor(() => plan() !== undefined);
  expect(made.routes()).toHaveLength(15);

  await made.apply(ingress('fresh'));
  await made.waitFor(() => eventsOf(made, 'fresh').some((text) => text.startsWith('Held: 12 deletions at once wait')));
  const address = () => made.get(ingressKind, { namespace: 'default', name: 'fresh' })?.status?.loadBalancer?.ingress;
  expect(address() ?? []).toEqual([]);

  const { namespace, name = '' } = plan()?.metadata ?? {};
  const annotations = { 'cloudflare-operator.io/approve-deletion': plan()?.data?.['hash'] ?? '' };
  await made.user.client.patch(
    configMapKind,
    { namespace, name },
    { type: 'merge', body: { metadata: { annotations } } },
  );
  await made.waitFor(() => made.routes().length === 4);
  await made.waitFor(() => address()?.length === 1);
});
