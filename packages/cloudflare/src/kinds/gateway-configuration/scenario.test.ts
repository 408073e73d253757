import { getCondition } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { atDashboard } from '../../testing/dashboard.ts';
import { worldOfEachTest } from '../../testing/world-of-each-test.ts';
import type { World } from '../../testing/world.ts';
import { gatewayConfigurationKind } from './resource.ts';

const configuration = (name: string, settings: object, more: object = {}): KubeObject =>
  ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'GatewayConfiguration',
    metadata: { name },
    spec: { settings, cloudflare: {}, ...more },
  }) as KubeObject;

let world: World;
worldOfEachTest((made) => (world = made));

const ready = (name: string) =>
  getCondition(world.get(gatewayConfigurationKind, { name })?.status?.conditions, 'Ready');
const path = (): string => `/accounts/${world.sim.accountId}/gateway/configuration`;
const settings = (): unknown => atDashboard(world.sim, 'GET', path())['settings'];

test('several objects set the configuration field by field, by priority; who loses is told; all stays when they go', async () => {
  atDashboard(world.sim, 'PUT', path(), { settings: { block_page: { footer_text: 'theirs' }, fips: { tls: true } } });
  await world.apply([
    configuration('base', { blockPage: { enabled: true, name: 'base' }, activityLog: { enabled: true } }),
    configuration('team', { blockPage: { enabled: true, name: 'team', suppressFooter: true } }, { priority: 10 }),
  ]);
  await world.waitFor(() => ready('team')?.status === 'True' && ready('base')?.reason === 'Conflict');
  expect(ready('base')?.message).toBe(
    'block_page.name: GatewayConfiguration/team sets it to team and has the lower priority number',
  );
  const merged = {
    block_page: { footer_text: 'theirs', enabled: true, name: 'team', suppress_footer: true },
    activity_log: { enabled: true },
    fips: { tls: true },
  };
  expect(settings()).toEqual(merged);
  await world.delete(gatewayConfigurationKind, { name: 'team' });
  await world.waitFor(() => ready('base')?.status === 'True');
  expect(settings()).toMatchObject({ block_page: { name: 'base', footer_text: 'theirs' } });
  world.sim.journal.clear();
  await world.delete(gatewayConfigurationKind, { name: 'base' });
  await world.waitFor(() => world.get(gatewayConfigurationKind, { name: 'base' }) === undefined);
  expect(world.sim.journal.calls({ write: true })).toEqual([]);
});

test('what needs a certificate that is not there is told, and done when there is one', async () => {
  await world.apply(configuration('tls', { tlsDecrypt: { enabled: true } }));
  await world.waitFor(() => ready('tls')?.reason === 'NotReady');
  expect(ready('tls')?.message).toContain('certificate');
  atDashboard(world.sim, 'PATCH', path(), { settings: { certificate: { id: 'c' } } });
  await world.waitFor(() => ready('tls')?.status === 'True', 30 * 60_000);
  expect(settings()).toMatchObject({ tls_decrypt: { enabled: true }, certificate: { id: 'c' } });
});
