import { accountAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import { toPage } from '../../api/page.ts';
import type { Page } from '../../api/page.ts';
import { param, timestamp } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { canonicalOf, deploymentsOf, toDeployment } from './deployment-view.ts';
import { pagesDeployments, pagesDomains, pagesProjects } from './pages-tables.ts';
import type { PagesProject } from './pages-tables.ts';
import { mergeSettings, toShownConfig } from './project-settings.ts';

export const pagesAccess = accountAccess('Pages');
const projectsPath = '/accounts/:account/pages/projects';
export const projectPath = `${projectsPath}/:project`;

export const pagesProjectFamily: Family = {
  name: 'pages-projects',
  routes: [
    { method: 'GET', path: projectsPath, access: pagesAccess, run: listProjects },
    { method: 'POST', path: projectsPath, access: pagesAccess, run: createProject },
    { method: 'GET', path: projectPath, access: pagesAccess, run: (call) => toReply(findProject(call), call) },
    { method: 'PATCH', path: projectPath, access: pagesAccess, run: editProject },
    { method: 'DELETE', path: projectPath, access: pagesAccess, run: deleteProject },
    { method: 'POST', path: `${projectPath}/purge_build_cache`, access: pagesAccess, run: purge },
  ],
};

/** Where the domains and deployments of a project stand. */
export function scopeOf(call: Call): string {
  return `${param(call, 'account')}/${param(call, 'project')}`;
}

export function findProject(call: Call): PagesProject {
  const project = call.state.get(pagesProjects, param(call, 'account'), param(call, 'project'));
  if (project) return project;
  throw refusal(404, 8_000_007, 'Project not found. The specified project name does not match any of your projects.');
}

export function subdomainOf({ name }: Pick<PagesProject, 'name'>): string {
  return `${name}.pages.dev`;
}

/** Unlike other lists, one that asks for too much at once is refused. */
export function toShortPage(query: URLSearchParams, rows: readonly unknown[], maxSize: number): Page {
  if (Number(query.get('per_page') ?? maxSize) > maxSize)
    throw refusal(400, 8_000_024, 'Invalid list options provided. Review the `page` or `per_page` parameter.');
  return toPage(query, rows, { defaultSize: maxSize, maxSize });
}

function listProjects(call: Call): Reply {
  const rows = [...call.state.rows(pagesProjects, param(call, 'account')).values()];
  return toShortPage(
    call.query,
    rows.map((project) => toView(project, { ...call, params: { ...call.params, project: project.name } })),
    10,
  );
}

function createProject(call: Call): Reply {
  const body = toFields(call.body);
  const name = textOf(body['name']) ?? '';
  if (!/^[a-z0-9]([a-z0-9-]{0,56}[a-z0-9])?$/.test(name))
    throw refusal(400, 8_000_001, 'The project name must have 1-58 lowercase letters, digits and dashes.');
  if (call.state.get(pagesProjects, param(call, 'account'), name))
    throw refusal(409, 8_000_002, 'A project with this name already exists. Choose a different project name.');
  const settings = mergeSettings(body, undefined);
  const project = { id: call.world.ids.uuid(), name, createdOn: timestamp(call.world), ...settings };
  call.state.put(pagesProjects, param(call, 'account'), name, project);
  return toReply(project, { ...call, params: { ...call.params, project: name } });
}

function editProject(call: Call): Reply {
  const old = findProject(call);
  const project = { ...old, ...mergeSettings(toFields(call.body), old) };
  call.state.put(pagesProjects, param(call, 'account'), old.name, project);
  return toReply(project, call);
}

function deleteProject(call: Call): Reply {
  const { name } = findProject(call);
  const scope = scopeOf(call);
  for (const id of call.state.rows(pagesDeployments, scope).keys()) call.state.remove(pagesDeployments, scope, id);
  for (const host of call.state.rows(pagesDomains, scope).keys()) call.state.remove(pagesDomains, scope, host);
  call.state.remove(pagesProjects, param(call, 'account'), name);
  return { result: null };
}

function purge(call: Call): Reply {
  findProject(call);
  return { result: null };
}

function toReply(project: PagesProject, call: Call): Reply {
  return { result: toView(project, call) };
}

function toView(project: PagesProject, call: Call): object {
  const { id, name, createdOn, productionBranch, source, buildConfig, deploymentConfigs } = project;
  const deployments = deploymentsOf(call);
  const [latest] = deployments;
  const canonical = canonicalOf(call, deployments);
  return {
    id,
    name,
    subdomain: subdomainOf(project),
    domains: [subdomainOf(project), ...call.state.rows(pagesDomains, scopeOf(call)).keys()],
    production_branch: productionBranch,
    ...(source && { source }),
    build_config: buildConfig,
    deployment_configs: {
      preview: toShownConfig(deploymentConfigs.preview),
      production: toShownConfig(deploymentConfigs.production),
    },
    latest_deployment: latest ? toDeployment(latest, project, call) : null,
    canonical_deployment: canonical ? toDeployment(canonical, project, call) : null,
    created_on: createdOn,
    framework: '',
    framework_version: '',
    uses_functions: latest ? latest.special['_worker.js'] !== undefined : null,
    production_script_name: `pages-worker--${id.slice(0, 8)}-production`,
    preview_script_name: `pages-worker--${id.slice(0, 8)}-preview`,
  };
}
