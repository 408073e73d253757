import { refusal } from '../../api/api-error.ts';
import { isFields, toFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import type { PagesProject } from './pages-tables.ts';

type Settings = Pick<PagesProject, 'productionBranch' | 'source' | 'buildConfig' | 'deploymentConfigs'>;

/** What a project has where nobody said anything. */
const freshBuild: Fields = {
  build_command: null,
  destination_dir: null,
  root_dir: null,
  web_analytics_tag: null,
  web_analytics_token: null,
};
const freshConfig: Fields = {
  env_vars: null,
  fail_open: true,
  always_use_latest_compatibility_date: false,
  compatibility_date: '2026-01-01',
  compatibility_flags: [],
  build_image_major_version: 3,
  usage_model: 'standard',
};
const freshSource: Fields = {
  deployments_enabled: true,
  production_deployments_enabled: true,
  preview_deployment_setting: 'all',
  preview_branch_includes: ['*'],
  preview_branch_excludes: [],
  path_includes: ['*'],
  path_excludes: [],
  pr_comments_enabled: true,
};

/** A body laid over what was there: objects are merged, and what is null goes. */
export function mergeSettings(body: Fields, old: Settings | undefined): Settings {
  const configs = toFields(body['deployment_configs']);
  const before = old?.deploymentConfigs ?? { preview: freshConfig, production: freshConfig };
  const deploymentConfigs = {
    preview: toConfig(before.preview, configs['preview']),
    production: toConfig(before.production, configs['production']),
  };
  if (deploymentConfigs.preview['fail_open'] !== deploymentConfigs.production['fail_open'])
    throw refusal(400, 8_000_066, 'fail_open must be the same for preview and production.');
  const productionBranch = body['production_branch'] ?? old?.productionBranch;
  if (typeof productionBranch !== 'string' || productionBranch === '')
    throw refusal(400, 8_000_003, 'production_branch is required.');
  return {
    productionBranch,
    source: mergeSource(body['source'], old, productionBranch),
    buildConfig: { ...(old?.buildConfig ?? freshBuild), ...toFields(body['build_config']) },
    deploymentConfigs,
  };
}

function mergeSource(given: unknown, old: Settings | undefined, productionBranch: string): Fields | undefined {
  if (!isFields(given)) return old?.source;
  if (old && !old.source)
    throw refusal(400, 8_000_069, 'You cannot update the `source` object in a Direct Uploads project.');
  const config = { ...freshSource, ...toFields(old?.source?.['config']), ...toFields(given['config']) };
  if (typeof config['owner'] !== 'string' || typeof config['repo_name'] !== 'string')
    throw refusal(400, 8_000_012, 'The repository was not found, or is not authorized.');
  return { type: given['type'] ?? old?.source?.['type'], config: { ...config, production_branch: productionBranch } };
}

/** The older usage models are taken and have no effect. */
function toConfig(before: Fields, given: unknown): Fields {
  return { ...merge(before, toFields(given)), usage_model: 'standard' };
}

function merge(before: Fields, given: Fields): Fields {
  return Object.entries(given).reduce<Fields>((made, [name, value]) => {
    const { [name]: was, ...rest } = made;
    if (value === null) return rest;
    return { ...made, [name]: isFields(value) ? merge(toFields(was), value) : value };
  }, before);
}

/** Without the values of secrets, which nobody is ever shown. */
export function toShownConfig(config: Fields): Fields {
  const shown = Object.entries(toFields(config['env_vars'])).map(([name, variable]) => {
    const fields = toFields(variable);
    return [name, fields['type'] === 'secret_text' ? { ...fields, value: '' } : fields] as const;
  });
  return { ...config, env_vars: shown.length === 0 ? null : Object.fromEntries(shown) };
}
