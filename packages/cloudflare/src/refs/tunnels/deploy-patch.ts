import { parseYaml } from '@tributary/runtime';
import { isMap, strategicMerge } from './strategic-merge.ts';
import type { Json } from './strategic-merge.ts';

export type DeployPatch =
  | { readonly ok: true; readonly patch: Json }
  | { readonly ok: false; readonly message: string };

/** `spec.deployPatch` as it was written: YAML or JSON of a part of a Deployment. */
export function readDeployPatch(text: string): DeployPatch {
  const parsed = parse(text);
  if (!parsed.ok) return parsed;
  const { patch } = parsed;
  const misplaced = Object.keys(patch).find((name) => !topFields.has(name));
  if (misplaced !== undefined) return bad(`${misplaced} is no field of a Deployment that can be patched`);
  if (isMap(patch['metadata']) && ('name' in patch['metadata'] || 'namespace' in patch['metadata'])) {
    return bad('metadata.name and metadata.namespace cannot be changed');
  }
  if (isMap(patch['spec']) && 'selector' in patch['spec']) return bad('spec.selector cannot be changed');
  return parsed;
}

/** The Deployment with the patch in it. Containers without a name belong to nobody, so the API would refuse them. */
export function withDeployPatch(deployment: Json, patch: Json): Json {
  return strategicMerge(deployment, patch);
}

const topFields = new Set(['apiVersion', 'kind', 'metadata', 'spec', '$patch']);

function parse(text: string): DeployPatch {
  try {
    const value: unknown = parseYaml(text) ?? {};
    return isMap(value) ? { ok: true, patch: value } : bad('must be a map');
  } catch (error) {
    const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return bad(line);
  }
}

function bad(why: string): Extract<DeployPatch, { ok: false }> {
  return { ok: false, message: `spec.deployPatch: ${why}` };
}
