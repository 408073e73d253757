import { refusal } from '../../api/api-error.ts';
import { isFields } from '../../api/fields.ts';
import { param } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { canonicalOf, deploymentsOf, isServed, toDeployment } from './deployment-view.ts';
import { readForm } from './read-form.ts';
import { pagesAssets, pagesDeployments } from './pages-tables.ts';
import type { PagesDeployment, PagesProject } from './pages-tables.ts';
import { findProject, pagesAccess, projectPath, scopeOf, toShortPage } from './project-family.ts';

const all = `${projectPath}/deployments`;
const one = `${all}/:deployment`;
/** Files that tell how a site is served, and are not served themselves. */
const specialFiles = ['_headers', '_redirects', '_routes.json', '_worker.js', '_worker.bundle'];
const buildMs = 50_000;
const workerMs = 5000;

export const pagesDeploymentFamily: Family = {
  name: 'pages-deployments',
  routes: [
    { method: 'GET', path: all, access: pagesAccess, run: list },
    { method: 'POST', path: all, access: pagesAccess, json: false, run: create },
    { method: 'GET', path: one, access: pagesAccess, run: (call) => toReply(find(call), call) },
    { method: 'DELETE', path: one, access: pagesAccess, run: remove },
    { method: 'POST', path: `${one}/retry`, access: pagesAccess, run: retry },
    { method: 'POST', path: `${one}/rollback`, access: pagesAccess, run: rollBack },
  ],
};

function find(call: Call): PagesDeployment {
  findProject(call);
  const deployment = call.state.get(pagesDeployments, scopeOf(call), param(call, 'deployment'));
  if (deployment) return deployment;
  throw refusal(404, 8_000_009, 'The deployment ID you have specified does not exist.');
}

function list(call: Call): Reply {
  const project = findProject(call);
  const environment = call.query.get('env');
  const rows = deploymentsOf(call).filter((each) => environment === null || each.environment === environment);
  return toShortPage(
    call.query,
    rows.map((row) => toDeployment(row, project, call)),
    25,
  );
}

function create(call: Call): Reply {
  const project = findProject(call);
  const form = readForm(call.request.body);
  const { branch = project.productionBranch } = form;
  const manifest = form['manifest'] === undefined ? undefined : toManifest(form['manifest'], call);
  if (!manifest && !project.source)
    throw refusal(400, 8_000_096, 'A "manifest" field was expected in the request body but was not provided.');
  const special = Object.fromEntries(
    specialFiles.flatMap((name) => (form[name] === undefined ? [] : [[name, form[name]]])),
  );
  const deployment: PagesDeployment = {
    ...started(call),
    environment: branch === project.productionBranch ? 'production' : 'preview',
    branch,
    trigger: manifest ? 'ad_hoc' : 'github:push',
    commitHash: form['commit_hash'] ?? (manifest ? '' : headOf(branch)),
    commitMessage: form['commit_message'] ?? '',
    commitDirty: form['commit_dirty'] === 'true',
    manifest: manifest ?? {},
    special,
    lastsMs: manifest ? uploadMs(special) : buildMs,
  };
  return put(deployment, project, call);
}

/** Files alone are there at once; a worker has to be rolled out. */
function uploadMs(special: Readonly<Record<string, string>>): number {
  return Object.keys(special).some((name) => name.startsWith('_worker')) ? workerMs : 0;
}

/** A repository of which every branch has a head. */
function headOf(branch: string): string {
  return Buffer.from(branch.padEnd(20, '.')).toString('hex').slice(0, 40);
}

function started({ world }: Call): Pick<PagesDeployment, 'id' | 'createdMs' | 'fails' | 'promotedMs'> {
  return { id: world.ids.uuid(), createdMs: world.now(), fails: false, promotedMs: 0 };
}

function toManifest(text: string, call: Call): Readonly<Record<string, string>> {
  const parsed = parse(text);
  if (!isFields(parsed)) throw refusal(400, 8_000_097, 'The manifest is not a JSON object.');
  const manifest = Object.entries(parsed).map(([path, hash]) => [path, String(hash)] as const);
  if (manifest.length > 20_000) throw refusal(400, 8_000_098, 'A deployment has at most 20,000 files.');
  for (const [path, hash] of manifest) {
    if (!path.startsWith('/') || !call.state.get(pagesAssets, param(call, 'account'), hash))
      throw refusal(400, 8_000_097, `${path} was not uploaded.`);
  }
  return Object.fromEntries(manifest);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function remove(call: Call): Reply {
  const { id, environment, branch } = find(call);
  const deployments = deploymentsOf(call);
  if (canonicalOf(call, deployments)?.id === id)
    throw refusal(400, 8_000_034, 'You cannot delete the active production deployment.');
  const newest = deployments.find((each) => each.environment === 'preview' && each.branch === branch);
  if (environment === 'preview' && newest?.id === id && call.query.get('force') !== 'true')
    throw refusal(400, 8_000_035, 'You cannot delete an aliased deployment without force.');
  call.state.remove(pagesDeployments, scopeOf(call), id);
  return { result: null };
}

function retry(call: Call): Reply {
  return put({ ...find(call), ...started(call) }, findProject(call), call);
}

/** Only what was built for production, and well. */
function rollBack(call: Call): Reply {
  const deployment = find(call);
  if (deployment.environment !== 'production' || !isServed(deployment, call))
    throw refusal(400, 8_000_039, 'You can only roll back to successful builds on production.');
  return put({ ...deployment, promotedMs: call.world.now() }, findProject(call), call);
}

function put(deployment: PagesDeployment, project: PagesProject, call: Call): Reply {
  call.state.put(pagesDeployments, scopeOf(call), deployment.id, deployment);
  return { result: toDeployment(deployment, project, call) };
}

function toReply(deployment: PagesDeployment, call: Call): Reply {
  return { result: toDeployment(deployment, findProject(call), call) };
}
