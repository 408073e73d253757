import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { pagesDeploymentKind } from '../kinds/pages-deployment/resource.ts';
import { pagesDomainKind } from '../kinds/pages-domain/resource.ts';
import { pagesProjectKind } from '../kinds/pages-project/resource.ts';
import { pagesPromotionKind } from '../kinds/pages-promotion/resource.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import { tarOf } from '../targets/pages-deployment/testing/archives.ts';
import { createToldWorld } from './testing/told-world.ts';
import type { ToldWorld } from './testing/told-world.ts';

const kinds = {
  PagesProject: pagesProjectKind,
  PagesDomain: pagesDomainKind,
  PagesDeployment: pagesDeploymentKind,
  PagesPromotion: pagesPromotionKind,
};

let world: ToldWorld<keyof typeof kinds>;
let asked: { readonly url: string; readonly headers: unknown }[] = [];
beforeEach(async () => {
  asked = [];
  world = await createToldWorld(kinds, {
    operator: { driftMs: 5 * 60_000 },
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
const of = { projectRef: { name: 'site' }, cloudflare: {} };
const files = (text: string, more: object = {}): object => ({
  ...of,
  directUpload: { manifest: { 'index.html': text, _headers: '/*\n  X: 1' } },
  ...more,
});
const shown = (): unknown =>
  (atDashboard(world.sim, 'GET', projectPath())['canonical_deployment'] as { readonly id: string } | null)?.id;
const idOf = (name: string): unknown => world.find('PagesDeployment', name)?.status?.['deploymentId'];
const github = { type: 'github', github: { owner: 'me', repo: 'site' } };

describe('a deployment', { timeout: 30_000 }, () => {
  beforeEach(async () => {
    await world.put('PagesProject', 'site', project());
    await world.untilReady('PagesProject', 'site');
  });

  test('that is found again, for its object left the project and came back, says that production shows it', async () => {
    const production = { environment: 'production' };
    await world.put('PagesProject', 'other', project());
    await world.untilReady('PagesProject', 'other');
    await world.put('PagesDeployment', 'one', files('one', production));
    await world.untilReady('PagesDeployment', 'one');
    await world.put('PagesDeployment', 'one', files('one', { ...production, projectRef: { name: 'other' } }));
    await world.clock.advance(6 * 60_000);
    await world.put('PagesDeployment', 'one', files('one', production));
    await world.clock.advance(60_000);
    expect(world.find('PagesDeployment', 'one')?.status).toMatchObject({ isCurrentProduction: true });
    expect(idOf('one')).toBe(shown());
  });

  test('of files is served, is made once, and stays when its object goes', async () => {
    await world.put('PagesDeployment', 'one', files('one', { environment: 'production' }));
    await world.untilReady('PagesDeployment', 'one');
    expect(world.find('PagesDeployment', 'one')?.status).toMatchObject({
      state: 'Succeeded',
      environment: 'production',
      isCurrentProduction: true,
      url: 'https://site.pages.dev',
      sourceDescription: 'directUpload:files',
    });
    const [row] = world.sim.state.rows('pages_deployments', `${world.sim.accountId}/site`);
    expect(row).toMatchObject({ special: { _headers: '/*\n  X: 1' } });
    expect(Object.keys(row?.['manifest'] as object)).toEqual(['/index.html']);
    await world.stopReplica('replica-1');
    world.start('replica-1');
    await world.clock.advance(6 * 60_000);
    await world.remove('PagesDeployment', 'one');
    expect(world.sim.state.rows('pages_deployments', `${world.sim.accountId}/site`)).toHaveLength(1);
  });

  test('that somebody deletes is not made again', async () => {
    await world.put('PagesDeployment', 'one', files('one'));
    await world.untilReady('PagesDeployment', 'one');
    atDashboard(world.sim, 'DELETE', `${projectPath()}/deployments/${String(idOf('one'))}?force=true`);
    await world.clock.advance(6 * 60_000);
    expect(world.ready('PagesDeployment', 'one')?.reason).toBe('DeploymentFailed');
    expect(world.sim.state.rows('pages_deployments', `${world.sim.accountId}/site`)).toEqual([]);
  });

  test('is another one when something else is wanted, or the same once more', async () => {
    await world.put('PagesDeployment', 'one', files('one'));
    await world.untilReady('PagesDeployment', 'one');
    const ids = [idOf('one')];
    for (const annotations of [{}, { 'cloudflare-operator.io/force-redeploy': '1' }]) {
      await world.put('PagesDeployment', 'one', files('two'), annotations);
      await world.waitFor(() => !ids.includes(idOf('one')));
      ids.push(idOf('one'));
    }
    expect(world.sim.state.rows('pages_deployments', `${world.sim.accountId}/site`)).toHaveLength(3);
    // The second time no file had to be sent.
    expect(world.sim.journal.calls().filter(({ path }) => path === '/pages/assets/upload')).toHaveLength(2);
  });

  test('that was replaced is made anew when it is wanted again, and served', async () => {
    const put = async (text: string): Promise<unknown> => {
      const before = idOf('one');
      await world.put('PagesDeployment', 'one', files(text, { environment: 'production' }));
      await world.waitFor(() => idOf('one') !== undefined && idOf('one') !== before, 120_000);
      await world.untilReady('PagesDeployment', 'one');
      return idOf('one');
    };
    const ids = [await put('one'), await put('two'), await put('one')];
    expect(new Set(ids).size).toBe(3);
    expect(shown()).toBe(ids[2]);
    expect(world.find('PagesDeployment', 'one')?.status).toMatchObject({ isCurrentProduction: true });
  });

  test('of an archive is fetched with what only Secrets hold', async () => {
    const http = {
      url: 'https://files.example.org/site.tar?signature=s3cret',
      headers: { Authorization: 'Bearer s3cret' },
      headersSecretRef: { name: 'more' },
    };
    const directUpload = { source: { http }, archive: { type: 'tar', subPath: 'dist' }, branch: 'next' };
    await world.put('PagesDeployment', 'one', { ...of, source: { type: 'directUpload', directUpload } });
    await world.untilMessage('PagesDeployment', 'one', 'default/more is not there');
    await world.apply(
      '{ apiVersion: v1, kind: Secret, metadata: { name: more, namespace: default }, stringData: { X-Key: s3cret-too } }',
    );
    await world.untilReady('PagesDeployment', 'one');
    expect(asked).toEqual([
      {
        url: 'https://files.example.org/site.tar?signature=s3cret',
        headers: { Authorization: 'Bearer s3cret', 'X-Key': 's3cret-too' },
      },
    ]);
    expect(JSON.stringify(world.list(syncStateKind))).not.toContain('s3cret');
    expect(world.find('PagesDeployment', 'one')?.status).toMatchObject({
      environment: 'preview',
      branchUrl: 'https://next.site.pages.dev',
    });
  });

  test('that cannot be fetched says so', async () => {
    const directUpload = { source: { http: { url: 'https://nowhere.example.org/x.tar' } } };
    await world.put('PagesDeployment', 'one', { ...of, source: { type: 'directUpload', directUpload } });
    await world.untilMessage('PagesDeployment', 'one', 'https://nowhere.example.org/x.tar answers with 404');
    expect(world.find('PagesDeployment', 'one')?.status).toMatchObject({ state: 'Failed' });
  });

  test('is the only one for production, unless it failed', async () => {
    await world.put('PagesDeployment', 'one', files('one', { environment: 'production' }));
    await world.untilReady('PagesDeployment', 'one');
    await world.put('PagesDeployment', 'two', files('two', { environment: 'production' }));
    await world.untilReason('PagesDeployment', 'two', 'ProductionConflict');
    await world.remove('PagesDeployment', 'one');
    await world.untilReady('PagesDeployment', 'two');
    expect(shown()).toBe(idOf('two'));
  });
});

test('a branch is built, and its end is waited for', { timeout: 30_000 }, async () => {
  await world.put('PagesProject', 'site', project({ source: github }));
  await world.put('PagesDeployment', 'next', { ...of, source: { type: 'git', git: { branch: 'next' } } });
  await world.untilReason('PagesDeployment', 'next', 'Deploying');
  const states = new Set<unknown>();
  await world.waitFor(() => {
    states.add(world.find('PagesDeployment', 'next')?.status?.['state']);
    return states.has('Succeeded');
  }, 300_000);
  expect([...states]).toEqual(['Queued', 'Building', 'Succeeded']);
  await world.put('PagesDeployment', 'main', { ...of, source: { type: 'git', git: {} } });
  await world.untilReason('PagesDeployment', 'main', 'Deploying');
  const scope = `${world.sim.accountId}/site`;
  world.sim.state.change('pages_deployments', scope, String(idOf('main')), { fails: true });
  await world.untilReason('PagesDeployment', 'main', 'DeploymentFailed');
  await world.put('PagesDeployment', 'again', { ...of, action: 'retry', targetDeploymentId: idOf('main') });
  await world.untilReady('PagesDeployment', 'again');
  expect(shown()).toBe(idOf('again'));
});

test('production goes back when it is told to, and later deployments are not undone', { timeout: 30_000 }, async () => {
  await world.put('PagesProject', 'site', project());
  const production = { environment: 'production' };
  await world.put('PagesDeployment', 'live', files('one', production));
  await world.untilReady('PagesDeployment', 'live');
  const first = idOf('live');
  await world.put('PagesDeployment', 'live', files('two', production));
  await world.waitFor(() => idOf('live') !== first);
  const second = idOf('live');
  await world.put('PagesPromotion', 'back', { ...of, deploymentRef: { deploymentId: first } });
  await world.untilReady('PagesPromotion', 'back');
  expect(shown()).toBe(first);
  expect(world.find('PagesPromotion', 'back')?.status).toMatchObject({
    state: 'Promoted',
    promotedDeployment: { deploymentId: first, url: 'https://site.pages.dev' },
    previousDeployment: { deploymentId: second },
  });
  await world.clock.advance(10_000);
  await world.put('PagesDeployment', 'live', files('three', production));
  await world.waitFor(() => idOf('live') !== second);
  await world.clock.advance(6 * 60_000);
  expect(shown()).toBe(idOf('live'));
  expect(world.ready('PagesPromotion', 'back')).toMatchObject({ status: 'True' });
  expect(world.ready('PagesPromotion', 'back')?.message).toContain(String(idOf('live')));
  await world.remove('PagesPromotion', 'back');
  expect(shown()).toBe(idOf('live'));
});

test('a preview cannot be promoted, and its author hears what Cloudflare says', { timeout: 30_000 }, async () => {
  await world.put('PagesProject', 'site', project());
  await world.put('PagesPromotion', 'up', { ...of, deploymentRef: { name: 'one' } });
  await world.untilReason('PagesPromotion', 'up', 'DeploymentNotFound');
  await world.put('PagesDeployment', 'one', files('one'));
  await world.untilMessage('PagesPromotion', 'up', 'successful builds on production');
  expect(world.find('PagesPromotion', 'up')?.status).toMatchObject({ state: 'Failed' });
});

test('a domain leads to its project, and both go in whatever order', { timeout: 30_000 }, async () => {
  const zone = world.sim.zones.find(({ name }) => name === 'example.com')?.id ?? '';
  const records = (): readonly unknown[] => listAtDashboard(world.sim, `/zones/${zone}/dns_records`);
  await world.put('PagesDomain', 'www', { ...of, domain: 'www.example.com' });
  await world.untilReason('PagesDomain', 'www', 'ProjectNotFound');
  await world.put('PagesProject', 'site', project());
  await world.untilReady('PagesDomain', 'www');
  expect(records()).toMatchObject([
    { type: 'CNAME', name: 'www.example.com', content: 'site.pages.dev', proxied: true },
  ]);
  expect(world.find('PagesDomain', 'www')?.status).toMatchObject({
    state: 'Active',
    zoneId: zone,
    projectName: 'site',
  });
  await world.put('PagesDomain', 'www', { ...of, domain: 'www.example.com', autoConfigureDNS: false });
  await world.waitFor(() => records().length === 0);
  await world.remove('PagesProject', 'site');
  await world.remove('PagesDomain', 'www');
  expect(world.list(syncStateKind).map(({ spec }) => spec.resourceType)).toEqual(['CloudflareCredentials']);
});
