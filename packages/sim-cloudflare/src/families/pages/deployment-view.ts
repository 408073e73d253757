import { param } from '../../api/route.ts';
import type { Call } from '../../api/route.ts';
import { pagesDeployments } from './pages-tables.ts';
import type { PagesDeployment, PagesProject } from './pages-tables.ts';

/** The stages of a build, and which part of its time each takes. */
const stages = [
  ['queued', 0.1],
  ['initialize', 0.1],
  ['clone_repo', 0.1],
  ['build', 0.6],
  ['deploy', 0.1],
] as const;

/** The newest first. */
export function deploymentsOf(call: Call): readonly PagesDeployment[] {
  const scope = `${param(call, 'account')}/${param(call, 'project')}`;
  return [...call.state.rows(pagesDeployments, scope).values()].toReversed();
}

export function isServed({ createdMs, lastsMs, fails }: PagesDeployment, call: Call): boolean {
  return !fails && call.world.now() >= createdMs + lastsMs;
}

/** What production shows: the last good production deployment, or the one that it was rolled back to since. */
export function canonicalOf(call: Call, deployments: readonly PagesDeployment[]): PagesDeployment | undefined {
  return deployments
    .filter((each) => each.environment === 'production' && isServed(each, call))
    .toSorted((a, b) => shownSince(b) - shownSince(a))[0];
}

function shownSince({ createdMs, lastsMs, promotedMs }: PagesDeployment): number {
  return Math.max(createdMs + lastsMs, promotedMs);
}

export function toDeployment(deployment: PagesDeployment, project: PagesProject, call: Call): object {
  const { id, environment, branch, createdMs, trigger, commitHash, commitMessage, commitDirty } = deployment;
  const subdomain = `${project.name}.pages.dev`;
  const alias = environment === 'preview' ? `https://${aliasOf(branch)}.${subdomain}` : `https://${subdomain}`;
  const shown = toStages(deployment, call.world.now());
  return {
    id,
    short_id: id.slice(0, 8),
    project_id: project.id,
    project_name: project.name,
    environment,
    url: `https://${id.slice(0, 8)}.${subdomain}`,
    aliases: [alias],
    created_on: isoOf(createdMs),
    modified_on: isoOf(createdMs),
    latest_stage: shown.findLast(({ status }) => status !== 'idle') ?? shown[0],
    stages: shown,
    deployment_trigger: {
      type: trigger,
      metadata: {
        branch,
        commit_hash: commitHash,
        commit_message: commitMessage,
        commit_dirty: commitDirty,
      },
    },
    build_config: project.buildConfig,
    env_vars: null,
    is_skipped: false,
    uses_functions: deployment.special['_worker.js'] !== undefined,
    ...(project.source && { source: project.source }),
  };
}

function toStages({ createdMs, lastsMs, fails }: PagesDeployment, nowMs: number): readonly Stage[] {
  let startMs = createdMs;
  return stages.map(([name, share]) => {
    const endMs = startMs + share * lastsMs;
    const stage = toStage(name, startMs, endMs, nowMs, fails);
    startMs = endMs;
    return stage;
  });
}

type Stage = {
  readonly name: string;
  readonly status: string;
  readonly started_on: string | null;
  readonly ended_on: string | null;
};

/** A build that fails does so in its stage, and nothing comes after it. */
function toStage(name: string, startMs: number, endMs: number, nowMs: number, fails: boolean): Stage {
  if (nowMs < startMs || (fails && name === 'deploy'))
    return { name, status: 'idle', started_on: null, ended_on: null };
  if (nowMs < endMs) return { name, status: 'active', started_on: isoOf(startMs), ended_on: null };
  const status = fails && name === 'build' ? 'failure' : 'success';
  return { name, status, started_on: isoOf(startMs), ended_on: isoOf(endMs) };
}

function aliasOf(branch: string): string {
  return branch
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 28);
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}
