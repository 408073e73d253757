import { internalError } from '../../registry/api-error.ts';
import { cloneJson } from '../../registry/clone-json.ts';
import type { Draft, JsonObject } from '../../registry/json.ts';
import { applyJsonPatch } from '../../patch/apply-json-patch.ts';
import { goJsonError } from '../../schema/go-json-error.ts';
import { schemaRules } from '../../schema/schema-rules.ts';
import { FailedCall } from './ask-webhook.ts';
import type { RequestView } from './request-view.ts';
import type { Webhook } from './webhook-configuration.ts';

export function readPatch(hook: Webhook, patch: string): readonly unknown[] {
  const problem = goJsonError(patch);
  const operations = problem === undefined ? (JSON.parse(patch) as unknown) : undefined;
  if (Array.isArray(operations)) return operations;
  const text = problem ?? 'json: cannot unmarshal object into Go value of type jsonpatch.Patch';
  throw new FailedCall(hook, `received undecodable patch in webhook response: ${text}`);
}

/** The view with a webhook's patch applied, read again as the kind it is, if that is the resource's own: unknown fields go, defaults come in. */
export function patchView(view: RequestView, operations: readonly unknown[], isOther: boolean): RequestView {
  try {
    const patched = applyJsonPatch(view.object, operations) as JsonObject;
    return { ...view, object: isOther ? patched : readAgain(view, patched) };
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error));
  }
}

function readAgain({ type }: RequestView, patched: JsonObject): JsonObject {
  const draft = cloneJson(patched) as Draft;
  schemaRules.prune(type.schema, draft);
  if (type.origin === 'custom') schemaRules.applyDefaults(type.schema, draft);
  type.strategy.applyDefaults?.(draft);
  return draft as JsonObject;
}
