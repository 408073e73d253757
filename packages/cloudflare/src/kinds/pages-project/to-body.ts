import { toSnakeCase } from '../../refs/snake-case.ts';
import { configProblems, toWireConfig } from './environment-config.ts';
import type { PagesProject } from './resource.ts';

type Spec = PagesProject['spec'];

/** The request that makes a project so, but for its name and the values of secrets. */
export function toBody({ productionBranch, source, buildConfig, deploymentConfigs }: Spec): Record<string, unknown> {
  const { preview, production } = deploymentConfigs ?? {};
  const repository = toSource(source);
  return {
    production_branch: productionBranch,
    ...(repository && { source: repository }),
    ...(buildConfig && { build_config: toSnakeCase(buildConfig) }),
    ...(deploymentConfigs && {
      deployment_configs: {
        ...(preview && { preview: toWireConfig(preview) }),
        ...(production && { production: toWireConfig(production) }),
      },
    }),
  };
}

/** What is wrong with it, by the names of its fields. */
export function bodyProblems({ source, deploymentConfigs }: Spec): readonly string[] {
  const { preview, production } = deploymentConfigs ?? {};
  const disagree = (preview?.failOpen ?? true) !== (production?.failOpen ?? true);
  return [
    ...sourceProblems(source),
    ...(preview ? configProblems('spec.deploymentConfigs.preview', preview) : []),
    ...(production ? configProblems('spec.deploymentConfigs.production', production) : []),
    ...(disagree ? ['spec.deploymentConfigs: failOpen must be the same for preview and production'] : []),
  ];
}

function sourceProblems(source: Spec['source']): readonly string[] {
  const { type = 'direct_upload' } = source ?? {};
  return (['github', 'gitlab'] as const).flatMap((host) => {
    if (type === host) return source?.[host] ? [] : [`spec.source.${host}: must be given where the type is ${host}`];
    return source?.[host] ? [`spec.source.${host}: has no meaning where the type is ${type}`] : [];
  });
}

function toSource(source: Spec['source']): object | undefined {
  if (!source || source.type === 'direct_upload') return undefined;
  const { type, github, gitlab } = source;
  const repository = type === 'github' ? github : gitlab;
  if (!repository) return undefined;
  const { owner, repo, productionDeploymentsEnabled, previewDeploymentsEnabled, deploymentsEnabled } = repository;
  const config = {
    owner,
    repo_name: repo,
    deployments_enabled: deploymentsEnabled,
    production_deployments_enabled: productionDeploymentsEnabled,
    preview_deployment_setting: previewDeploymentsEnabled ? 'all' : 'none',
    ...(github && { pr_comments_enabled: github.prCommentsEnabled }),
  };
  return { type, config };
}
