import type { JsonObject } from '../registry/json.ts';
import type { PatchRules } from '../registry/object-rules.ts';
import { applyJsonPatch } from './apply-json-patch.ts';
import { mergePatchObject } from './apply-merge-patch.ts';
import { applyStrategicMerge } from './apply-strategic-merge.ts';

/** The three patch forms beside server-side apply. */
export const patchRules: PatchRules = {
  jsonPatch: (target, operations) => applyJsonPatch(target, operations) as JsonObject,
  mergePatch: (target, patch) => mergePatchObject(target, patch) as JsonObject,
  strategicMergePatch: (target, patch, schema) => applyStrategicMerge(target, patch, schema) as JsonObject,
};
