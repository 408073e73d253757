import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { syncStateKind } from '../engine/l4-state/sync-state.ts';
import { pagesProjectKind } from '../kinds/pages-project/resource.ts';
import { atDashboard, listAtDashboard } from '../testing/dashboard.ts';
import { createToldWorld } from './testing/told-world.ts';
import type { ToldWorld } from './testing/told-world.ts';

let world: ToldWorld<'PagesProject'>;
beforeEach(async () => {
  world = await createToldWorld({ PagesProject: pagesProjectKind });
});
afterEach(async () => world.stop());

const projectPath = (): string => `/accounts/${world.sim.accountId}/pages/projects/site`;
const project = (fields: object = {}): object => ({ productionBranch: 'main', cloudflare: {}, ...fields });
const github = { type: 'github', github: { owner: 'me', repo: 'site' } };

describe('a project', { timeout: 30_000 }, () => {
  test('has its settings at Cloudflare, and its secrets there and in Secrets alone', async () => {
    await world.apply(
      '{ apiVersion: v1, kind: Secret, metadata: { name: keys, namespace: default }, stringData: { key: s3cret-one } }',
    );
    const environmentVariables = {
      PLAIN: { value: '1' },
      NAMED: { valueFrom: { secretKeyRef: { name: 'keys', key: 'key' } } },
      CLEAR: { value: 's3cret-two', type: 'secret_text' },
    };
    await world.put(
      'PagesProject',
      'site',
      project({
        source: github,
        buildConfig: { buildCommand: 'make', rootDir: 'web' },
        deploymentConfigs: {
          preview: { environmentVariables: { PLAIN: { value: '0' } } },
          production: {
            environmentVariables,
            kvBindings: [{ name: 'KV', namespaceId: 'n' }],
            serviceBindings: [{ name: 'API', service: 'api', environment: 'production' }],
            browserBinding: {},
            placement: { mode: 'smart' },
          },
        },
      }),
    );
    await world.untilReady('PagesProject', 'site');
    const made = atDashboard(world.sim, 'GET', projectPath());
    expect(made).toMatchObject({
      production_branch: 'main',
      source: { type: 'github', config: { owner: 'me', repo_name: 'site', preview_deployment_setting: 'all' } },
      build_config: { build_command: 'make', root_dir: 'web', build_caching: true },
      deployment_configs: {
        preview: { env_vars: { PLAIN: { value: '0' } } },
        production: {
          kv_namespaces: { KV: { namespace_id: 'n' } },
          services: { API: { service: 'api', environment: 'production' } },
          browsers: { BROWSER: {} },
          placement: { mode: 'smart' },
        },
      },
    });
    const [row] = world.sim.state.rows('pages_projects', world.sim.accountId);
    expect(JSON.stringify(row)).toContain('s3cret-one');
    expect(JSON.stringify(row)).toContain('s3cret-two');
    expect(JSON.stringify(world.list(syncStateKind))).not.toContain('s3cret');
    expect(world.find('PagesProject', 'site')?.status).toMatchObject({
      projectId: 'site',
      subdomain: 'site.pages.dev',
      domains: ['site.pages.dev'],
      state: 'Ready',
      adopted: false,
    });
  });

  test('keeps variables of others, and takes back its own', async () => {
    const variables = (environmentVariables: object): object =>
      project({ deploymentConfigs: { production: { environmentVariables } } });
    const shownVariables = (): unknown => {
      const { production } = atDashboard(world.sim, 'GET', projectPath())['deployment_configs'] as {
        readonly production: { readonly env_vars: unknown };
      };
      return production.env_vars;
    };
    await world.put('PagesProject', 'site', variables({ A: { value: '1' }, B: { value: '2' } }));
    await world.untilReady('PagesProject', 'site');
    const foreign = { type: 'plain_text', value: 'x' };
    atDashboard(world.sim, 'PATCH', projectPath(), {
      deployment_configs: { production: { env_vars: { F: foreign } } },
    });
    await world.put('PagesProject', 'site', variables({ A: { value: '1' }, B: null }));
    await world.untilReady('PagesProject', 'site');
    expect(shownVariables()).toEqual({ A: { type: 'plain_text', value: '1' }, F: foreign });
  });

  test.each([
    ['MustNotExist', 'NotOwned'],
    ['IfExists', 'Synced'],
    ['MustExist', 'Synced'],
  ])('that is there already is met as %s says', async (adoptionPolicy, reason) => {
    const path = `/accounts/${world.sim.accountId}/pages/projects`;
    atDashboard(world.sim, 'POST', path, { name: 'site', production_branch: 'main' });
    await world.put('PagesProject', 'site', project({ adoptionPolicy }));
    await world.untilReason('PagesProject', 'site', reason);
    const state = reason === 'Synced' ? 'Ready' : 'Error';
    expect(world.find('PagesProject', 'site')?.status).toMatchObject({ state });
  });

  test('says what it does not carry out', async () => {
    await world.put('PagesProject', 'site', project({ enableWebAnalytics: true }));
    await world.untilMessage('PagesProject', 'site', 'spec.enableWebAnalytics');
    expect(world.ready('PagesProject', 'site')?.status).toBe('True');
  });

  test('that must exist and does not is not made', async () => {
    await world.put('PagesProject', 'site', project({ adoptionPolicy: 'MustExist' }));
    await world.waitFor(() => world.ready('PagesProject', 'site')?.status === 'False');
    await world.clock.advance(60_000);
    expect(listAtDashboard(world.sim, `/accounts/${world.sim.accountId}/pages/projects`)).toEqual([]);
  });

  test.each([
    ['spec.source.github', { source: { type: 'github' } }],
    ['failOpen', { deploymentConfigs: { preview: { failOpen: false } } }],
    ['environmentVariables.A-B', { deploymentConfigs: { preview: { environmentVariables: { 'A-B': {} } } } }],
    [
      'durableObjectBindings[0].namespaceId',
      { deploymentConfigs: { preview: { durableObjectBindings: [{ name: 'D', className: 'C' }] } } },
    ],
  ])('is refused by name: %s', async (field, fields) => {
    await world.put('PagesProject', 'site', project(fields));
    await world.untilMessage('PagesProject', 'site', field);
    expect(world.ready('PagesProject', 'site')?.reason).toBe('InvalidConfig');
  });
});
