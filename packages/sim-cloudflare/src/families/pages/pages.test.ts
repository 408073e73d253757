import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';
import type { Answer, TestSim } from '../../testing/start-test-sim.ts';

type PagesSim = TestSim & { readonly projects: string; readonly project: string };

async function withProject(fields: object = {}): Promise<PagesSim> {
  const world = await startTestSim();
  const projects = `${world.account}/pages/projects`;
  await world.call('POST', projects, { name: 'site', production_branch: 'main', ...fields });
  return { ...world, projects, project: `${projects}/site` };
}

const github = { source: { type: 'github', config: { owner: 'me', repo_name: 'site' } } };
const hash = 'a'.repeat(32);

async function upload(world: PagesSim, form: Readonly<Record<string, string>> = {}): Promise<Answer> {
  const { jwt } = (await world.call('GET', `${world.project}/upload-token`)).result as { readonly jwt: string };
  const body = [{ base64: true, key: hash, value: 'aGk=', metadata: { contentType: 'text/html' } }];
  await world.call('POST', '/pages/assets/upload', body, { token: jwt });
  return post(world, { manifest: JSON.stringify({ '/index.html': hash }), ...form });
}

async function post({ sim, project }: PagesSim, form: Readonly<Record<string, string>>): Promise<Answer> {
  const body = new FormData();
  for (const [name, value] of Object.entries(form)) body.set(name, value);
  const headers = { authorization: `Bearer ${sim.token}` };
  const response = await sim.fetch(`${sim.url}${project}/deployments`, { method: 'POST', headers, body });
  const { result, errors } = (await response.json()) as { result: unknown; errors: { readonly code: number }[] };
  return { status: response.status, result, codes: errors.map(({ code }) => code) } as unknown as Answer;
}

describe('projects', () => {
  test('have a name once, and by rule', async () => {
    const { call, projects } = await withProject();
    const again = await call('POST', projects, { name: 'site', production_branch: 'main' });
    expect(again).toMatchObject({ status: 409, codes: [8_000_002] });
    for (const name of ['', 'Site', '-a', 'a-', 'x'.repeat(59)]) {
      expect((await call('POST', projects, { name, production_branch: 'main' })).codes).toEqual([8_000_001]);
    }
    expect((await call('POST', projects, { name: 'other' })).codes).toEqual([8_000_003]);
    expect((await call('GET', `${projects}/nobody`)).codes).toEqual([8_000_007]);
    expect((await call('GET', `${projects}?per_page=11`)).codes).toEqual([8_000_024]);
  });

  test('are merged by a change: null takes a variable away, and the value of a secret is never shown', async () => {
    const { call, project, sim } = await withProject();
    const env = { A: { type: 'plain_text', value: '1' }, S: { type: 'secret_text', value: 'hidden' } };
    await call('PATCH', project, { deployment_configs: { production: { env_vars: env, usage_model: 'bundled' } } });
    await call('PATCH', project, { deployment_configs: { production: { env_vars: { B: env.A } } } });
    const { result } = await call('PATCH', project, {
      build_config: { root_dir: 'web' },
      deployment_configs: { production: { env_vars: { A: null } } },
    });
    expect(result.deployment_configs.production).toMatchObject({ usage_model: 'standard', fail_open: true });
    expect(result.deployment_configs.production.env_vars).toEqual({ S: { type: 'secret_text', value: '' }, B: env.A });
    expect(result.deployment_configs.preview.env_vars).toBeNull();
    expect(result.build_config).toMatchObject({ root_dir: 'web', build_command: null });
    expect(JSON.stringify(sim.journal.calls())).not.toContain('hidden');
  });

  test('that are uploaded to cannot be given a repository, and both environments fail in the same way', async () => {
    const { call, project } = await withProject();
    expect((await call('PATCH', project, github)).codes).toEqual([8_000_069]);
    expect((await call('PATCH', project, { deployment_configs: { preview: { fail_open: false } } })).codes).toEqual([
      8_000_066,
    ]);
  });

  test('go with their domains and deployments', async () => {
    const world = await withProject();
    await upload(world);
    await world.call('POST', `${world.project}/domains`, { name: 'www.example.com' });
    expect((await world.call('DELETE', world.project)).status).toBe(200);
    await world.call('POST', world.projects, { name: 'site', production_branch: 'main' });
    expect((await world.call('GET', world.project)).result).toMatchObject({
      latest_deployment: null,
      domains: ['site.pages.dev'],
    });
  });
});

describe('files', () => {
  test('are stored with the token of a project, for five minutes, and with no other', async () => {
    const { call, project, clock, sim } = await withProject();
    const check = async (token: string): Promise<Answer> =>
      call('POST', '/pages/assets/check-missing', { hashes: [hash] }, { token });
    const { jwt } = (await call('GET', `${project}/upload-token`)).result as { readonly jwt: string };
    expect((await check(jwt)).result).toEqual([hash]);
    expect(await check(sim.token)).toMatchObject({ status: 401, codes: [8_000_013] });
    const upsert = await call('POST', '/pages/assets/upsert-hashes', { hashes: [hash] }, { token: jwt });
    expect(upsert.codes).toEqual([8_000_014]);
    await clock.advance(300_000);
    expect(await check(jwt)).toMatchObject({ status: 401, codes: [8_000_013] });
  });

  test('make a deployment by a manifest that names them, and by nothing else', async () => {
    const world = await withProject();
    expect((await post(world, {})).codes).toEqual([8_000_096]);
    expect((await post(world, { manifest: `{"/a":"${hash}"}` })).codes).toEqual([8_000_097]);
    const made = await upload(world, { commit_message: 'first' });
    expect(made.result).toMatchObject({
      environment: 'production',
      latest_stage: { name: 'deploy', status: 'success' },
      deployment_trigger: { type: 'ad_hoc', metadata: { branch: 'main', commit_message: 'first' } },
    });
    expect((await world.call('GET', world.project)).result.canonical_deployment.id).toBe(made.result.id);
  });

  test('with a worker take some seconds', async () => {
    const world = await withProject();
    const made = await upload(world, { '_worker.js': 'export default {}' });
    expect(made.result.latest_stage).toMatchObject({ name: 'queued', status: 'active' });
    await world.clock.advance(5000);
    const { result } = await world.call('GET', `${world.project}/deployments/${made.result.id}`);
    expect(result.latest_stage).toMatchObject({ name: 'deploy', status: 'success' });
  });
});

describe('builds', () => {
  test('of a repository go through their stages, and another branch is a preview', async () => {
    const world = await withProject(github);
    const { result } = await post(world, { branch: 'next' });
    expect(result).toMatchObject({ environment: 'preview', aliases: ['https://next.site.pages.dev'] });
    const seen: string[] = [];
    for (let passed = 0; passed < 60; passed += 5) {
      const { latest_stage: stage } = (await world.call('GET', `${world.project}/deployments/${result.id}`)).result;
      seen.push(`${stage.name} ${stage.status}`);
      await world.clock.advance(5000);
    }
    expect([...new Set(seen)]).toEqual([
      'queued active',
      'initialize active',
      'clone_repo active',
      'build active',
      'deploy active',
      'deploy success',
    ]);
  });

  test('that fail end in their stage, and can be tried again', async () => {
    const world = await withProject(github);
    const { result } = await post(world, {});
    const scope = `${world.sim.accountId}/site`;
    world.sim.state.change('pages_deployments', scope, result.id, { fails: true });
    await world.clock.advance(60_000);
    const path = `${world.project}/deployments/${result.id}`;
    expect((await world.call('GET', path)).result.latest_stage).toMatchObject({ name: 'build', status: 'failure' });
    expect((await world.call('POST', `${path}/rollback`)).codes).toEqual([8_000_039]);
    const again = await world.call('POST', `${path}/retry`);
    expect(again.result.id).not.toBe(result.id);
    await world.clock.advance(60_000);
    expect((await world.call('GET', world.project)).result.canonical_deployment.id).toBe(again.result.id);
  });
});

test('production goes back to an earlier deployment for production, and only what it does not show can be deleted', async () => {
  const world = await withProject();
  const { call, project, clock } = world;
  const ids: string[] = [];
  for (const branch of ['main', 'main', 'next']) {
    ids.push((await upload(world, { branch })).result.id);
    await clock.advance(1000);
  }
  const [first = '', second = '', preview = ''] = ids.map((id) => `${project}/deployments/${id}`);
  const shown = async (): Promise<string> => (await call('GET', project)).result.canonical_deployment.id;
  expect(await shown()).toBe(ids[1]);
  expect((await call('POST', `${preview}/rollback`)).codes).toEqual([8_000_039]);
  expect((await call('POST', `${first}/rollback`)).status).toBe(200);
  expect(await shown()).toBe(ids[0]);
  expect((await call('DELETE', first)).codes).toEqual([8_000_034]);
  expect((await call('DELETE', preview)).codes).toEqual([8_000_035]);
  expect((await call('DELETE', `${preview}?force=true`)).status).toBe(200);
  expect((await call('DELETE', second)).status).toBe(200);
  expect((await call('GET', second)).codes).toEqual([8_000_009]);
  expect((await call('GET', `${project}/deployments`)).result).toHaveLength(1);
});

test('a domain belongs to one project, and becomes active when DNS leads to it', async () => {
  const { call, projects, project, free, clock } = await withProject();
  await call('POST', projects, { name: 'two', production_branch: 'main' });
  const made = await call('POST', `${project}/domains`, { name: 'www.example.com' });
  expect(made.result).toMatchObject({ status: 'initializing', zone_tag: free });
  expect((await call('POST', `${projects}/two/domains`, { name: 'www.example.com' })).codes).toEqual([8_000_018]);
  expect((await call('POST', `${project}/domains`, { name: 'nothing' })).codes).toEqual([8_000_015]);
  const one = `${project}/domains/www.example.com`;
  await clock.advance(60_000);
  expect((await call('GET', one)).result).toMatchObject({ status: 'pending', validation_data: { status: 'pending' } });
  const record = { type: 'CNAME', name: 'www.example.com', content: 'site.pages.dev', proxied: true };
  await call('POST', `/zones/${free}/dns_records`, record);
  expect((await call('PATCH', one)).result).toMatchObject({ status: 'active' });
  expect((await call('GET', project)).result.domains).toEqual(['site.pages.dev', 'www.example.com']);
  await call('DELETE', one);
  expect((await call('GET', one)).codes).toEqual([8_000_021]);
});
