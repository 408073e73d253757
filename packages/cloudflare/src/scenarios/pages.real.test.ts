import { secretKind } from '@tributary/runtime';
import type { Kind, KubeObject } from '@tributary/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { pagesDeploymentKind } from '../kinds/pages-deployment/resource.ts';
import { pagesDomainKind } from '../kinds/pages-domain/resource.ts';
import { pagesProjectKind } from '../kinds/pages-project/resource.ts';
import { pagesPromotionKind } from '../kinds/pages-promotion/resource.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { startRealWorld } from '../testing/real-world.ts';
import type { RealWorld } from '../testing/real-world.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
}, 120_000);
afterAll(async () => world.stop());

const place = (name: string): { readonly namespace: string; readonly name: string } => ({ namespace: 'default', name });
const of = { projectRef: { name: 'site' }, cloudflare: {} };

const files = (text: string): object => ({
  ...of,
  environment: 'production',
  directUpload: { manifest: { 'index.html': text } },
});

test('a project, its deployments, what production shows and its domain come and go', async () => {
  const projectPath = `/accounts/${world.sim.accountId}/pages/projects/site`;
  const shown = (): unknown =>
    (atDashboard(world.sim, 'GET', projectPath)['canonical_deployment'] as { readonly id: string } | null)?.id;
  const keys = { metadata: place('keys'), stringData: { key: 's3cret' } };
  await world.client.create(secretKind, keys);
  await world.create(pagesDeploymentKind, 'live', files('one'));
  await world.create(pagesProjectKind, 'site', {
    productionBranch: 'main',
    deploymentConfigs: {
      production: {
        environmentVariables: {
          NAMED: { valueFrom: { secretKeyRef: { name: 'keys', key: 'key' } } },
          CLEAR: { value: 's3cret-too', type: 'secret_text' },
        },
      },
    },
    cloudflare: {},
  });
  const project = await world.untilReady(pagesProjectKind, 'site');
  expect(project.status).toMatchObject({ projectId: 'site', subdomain: 'site.pages.dev', state: 'Ready' });
  const first = await world.untilReady(pagesDeploymentKind, 'live');
  expect(first.status).toMatchObject({ state: 'Succeeded', environment: 'production', isCurrentProduction: true });
  const body = { spec: { directUpload: { manifest: { 'index.html': 'two' } } } };
  await world.client.patch(pagesDeploymentKind, place('live'), { type: 'merge', body });
  const { deploymentId } = (first.status ?? {}) as { readonly deploymentId: string };
  await world.untilReady(pagesDeploymentKind, 'live', ({ status }) => status?.['deploymentId'] !== deploymentId);
  await world.create(pagesPromotionKind, 'back', { ...of, deploymentRef: { deploymentId } });
  await world.untilReady(pagesPromotionKind, 'back');
  expect(shown()).toBe(deploymentId);
  await world.create(pagesDomainKind, 'www', { ...of, domain: 'www.example.com' });
  await world.untilReady(pagesDomainKind, 'www', ({ status }) => status?.['state'] === 'Verifying');
  const states = await world.client.list(syncStateKind);
  expect(JSON.stringify(states.items)).not.toContain('s3cret');
  await world.untilGone(pagesProjectKind, 'site');
  for (const [kind, name] of [
    [pagesPromotionKind, 'back'],
    [pagesDomainKind, 'www'],
    [pagesDeploymentKind, 'live'],
  ] as const)
    await world.untilGone(kind, name);
  const left = await world.client.list(syncStateKind);
  expect(left.items.filter(({ spec }) => spec.resourceType.startsWith('Pages'))).toEqual([]);
}, 120_000);

test.each<readonly [string, Kind<KubeObject>, object]>([
  ['spec.productionBranch', pagesProjectKind, { cloudflare: {} }],
  ['spec.name', pagesProjectKind, { name: '-x', productionBranch: 'main', cloudflare: {} }],
  ['spec.source.type', pagesProjectKind, { productionBranch: 'main', source: { type: 'svn' }, cloudflare: {} }],
  ['spec.domain', pagesDomainKind, { ...of, domain: '-' }],
  ['spec.environment', pagesDeploymentKind, { ...of, environment: 'moon' }],
  ['spec.source.git.commitSha', pagesDeploymentKind, { ...of, source: { type: 'git', git: { commitSha: 'x' } } }],
  ['spec.deploymentRef', pagesPromotionKind, of],
])('the server refuses what is wrong with %s by name', async (field, kind, spec) => {
  await expect(world.create(kind, 'wrong', spec)).rejects.toThrow(field);
});
