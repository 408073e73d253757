import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pagesDeploymentKind } from '../kinds/pages-deployment/resource.ts';
import { pagesProjectKind } from '../kinds/pages-project/resource.ts';
import { atDashboard } from '../testing/dashboard.ts';
import { tarOf } from '../targets/pages-deployment/testing/archives.ts';
import { createToldWorld } from './testing/told-world.ts';
import type { ToldWorld } from './testing/told-world.ts';

const kinds = { PagesProject: pagesProjectKind, PagesDeployment: pagesDeploymentKind };

let world: ToldWorld<keyof typeof kinds>;
let asked: { readonly url: string; readonly headers: unknown }[] = [];
beforeEach(async () => {
  asked = [];
  world = await createToldWorld(kinds, {
    download: async (url, { headers }) => {
      asked.push({ url, headers });
      return url.startsWith('https://files.example.org/')
        ? new Response(tarOf({ 'dist/index.html': 'Hi' }))
        : notFound();
    },
  });
});
afterEach(async () => world.stop());

const notFound = (): Response => new Response('', { status: 404 });
const projectPath = (): string => `/accounts/${world.sim.accountId}/pages/projects/site`;
const project = (fields: object = {}): object => ({ productionBranch: 'main', cloudflare: {}, ...fields });
const shown = (): unknown =>
  (atDashboard(world.sim, 'GET', projectPath())['canonical_deployment'] as { readonly id: string } | null)?.id;

describe('the versions of a project', { timeout: 30_000 }, () => {
  const http = { urlTemplate: 'https://files.example.org/{{.Version}}.tar', archiveType: 'tar' };
  const sourceTemplate = { type: 'http', http };
  const managed = (): readonly string[] => world.list(pagesDeploymentKind).map(({ metadata }) => metadata.name ?? '');
  const versions = (names: readonly string[], productionTarget = 'latest'): object => ({
    policy: 'declarativeVersions',
    declarativeVersions: { versions: names, sourceTemplate, productionTarget },
  });
  const shownVersion = (): unknown =>
    world.list(pagesDeploymentKind).find(({ status }) => status?.deploymentId === shown())?.spec.versionName;

  test('are deployed, the first of them to production, and going back makes no other deployment', async () => {
    await world.put('PagesProject', 'site', project({ versionManagement: versions(['v2', 'v1']) }));
    await world.untilReady('PagesProject', 'site');
    await world.waitFor(() => shownVersion() === 'v2', 120_000);
    await world.untilReady('PagesDeployment', 'site-v1');
    expect(world.find('PagesDeployment', 'site-v1')?.status).toMatchObject({
      environment: 'preview',
      versionName: 'v1',
    });
    expect(asked.map(({ url }) => url).toSorted()).toEqual([
      'https://files.example.org/v1.tar',
      'https://files.example.org/v2.tar',
    ]);
    await world.put('PagesProject', 'site', project({ versionManagement: versions(['v3', 'v2', 'v1']) }));
    await world.waitFor(() => shownVersion() === 'v3', 120_000);
    const count = asked.length;
    await world.put('PagesProject', 'site', project({ versionManagement: versions(['v3', 'v2', 'v1'], 'v2') }));
    await world.waitFor(() => shownVersion() === 'v2', 120_000);
    await world.untilReady('PagesProject', 'site');
    expect(asked).toHaveLength(count);
    expect(world.find('PagesProject', 'site')?.status).toMatchObject({
      activePolicy: 'declarativeVersions',
      managedDeployments: 3,
      versionMapping: { v2: shown() },
    });
    expect(world.find('PagesProject', 'site')?.status?.['deploymentHistory']).toHaveLength(3);
  });

  test('that are not wanted any more are kept up to the limit, and go with the project', async () => {
    const limited = (names: readonly string[]): object =>
      project({ versionManagement: versions(names), revisionHistoryLimit: 2 });
    await world.put('PagesProject', 'site', limited(['v1']));
    await world.untilReady('PagesProject', 'site');
    await world.waitFor(() => shownVersion() === 'v1', 120_000);
    await world.put('PagesProject', 'site', limited(['v2']));
    await world.waitFor(() => shownVersion() === 'v2', 120_000);
    expect(managed().toSorted()).toEqual(['site-v1', 'site-v2']);
    await world.clock.advance(60_000);
    await world.put('PagesProject', 'site', limited(['v3']));
    await world.waitFor(() => shownVersion() === 'v3' && managed().length === 2, 120_000);
    await world.remove('PagesProject', 'site');
    await world.waitFor(() => managed().length === 0);
  });

  test('become production when they have succeeded as previews, where that is asked for', async () => {
    const gitops = (fields: object): object =>
      project({ versionManagement: { policy: 'gitops', gitops: { sourceTemplate, ...fields } } });
    await world.put('PagesProject', 'site', gitops({ previewVersion: 'v1' }));
    await world.untilReady('PagesProject', 'site');
    await world.untilReady('PagesDeployment', 'site-v1');
    expect(shown()).toBeUndefined();
    await world.put('PagesProject', 'site', gitops({ previewVersion: 'v1', productionVersion: 'v1' }));
    await world.waitFor(() => shownVersion() === 'v1', 120_000);
  });

  test.each([
    ['latestPreview', { policy: 'latestPreview', latestPreview: {} }],
    ['gitops: must be given', { policy: 'gitops' }],
    ['v9 is none of the versions', versions(['v1'], 'v9')],
  ])('are refused with a reason: %s', async (part, versionManagement) => {
    await world.put('PagesProject', 'site', project({ versionManagement }));
    await world.untilMessage('PagesProject', 'site', part);
    expect(managed()).toEqual([]);
  });
});
