import type { AdmissionAttributes, AdmissionPlugin } from '../../registry/admission.ts';
import { internalError } from '../../registry/api-error.ts';
import { cloneJson } from '../../registry/clone-json.ts';
import type { Draft, StoredObject } from '../../registry/json.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { sameJson } from '../../registry/same-json.ts';
import { fromScale } from '../../rest/scale.ts';
import { goQuote } from '../../schema/go-format.ts';
import { askWebhook, FailedCall, settleFailure } from './ask-webhook.ts';
import type { WebhookDeps } from './ask-webhook.ts';
import { chooseView } from './choose-view.ts';
import { patchView, readPatch } from './patch-view.ts';
import { isScale, ownView, replaceContent, viewAs } from './request-view.ts';
import type { RequestView } from './request-view.ts';
import { configuredWebhooks, webhookGroup } from './webhook-configuration.ts';
import type { ConfiguredWebhook, Webhook } from './webhook-configuration.ts';

/** What is remembered of a request between its two rounds. */
type Rounds = {
  /** Webhooks that want to be asked again when somebody changes the object after them. */
  readonly asked: Set<string>;
  readonly askAgain: Set<string>;
  second: boolean;
  /** A webhook changed the object: all plugins are to look at it once more. */
  changed: boolean;
  output: Draft | undefined;
};

/**
 * MutatingAdmissionWebhook: asks one webhook after the other, each sees what those before it changed. When one changed
 * the object all plugins run once more, and of the webhooks those that asked for it (`reinvocationPolicy: IfNeeded`).
 */
export function createMutatingWebhooks(deps: WebhookDeps): AdmissionPlugin {
  const requests = new WeakMap<AdmissionAttributes, Rounds>();
  return {
    name: 'MutatingAdmissionWebhook',
    mutate: (attributes, hooks) => {
      // What says which webhooks there are cannot be held up by one of them.
      if (attributes.type.group === webhookGroup) return undefined;
      const configured = configuredWebhooks(hooks, 'mutating');
      if (configured.length === 0) return undefined;
      const before = requests.get(attributes);
      if (before !== undefined) {
        before.second = true;
        if (!sameJson(before.output, attributes.object)) requireAgain(before);
        return askAll(deps, configured, attributes, hooks, before);
      }
      const rounds = { asked: new Set<string>(), askAgain: new Set<string>(), second: false, changed: false };
      requests.set(attributes, { ...rounds, output: undefined });
      return askAll(deps, configured, attributes, hooks, requests.get(attributes) as Rounds);
    },
    asksForSecondRound: (attributes) => requests.get(attributes)?.changed ?? false,
  };
}

function requireAgain({ asked, askAgain }: Rounds): void {
  for (const id of asked) askAgain.add(id);
  asked.clear();
}

async function askAll(
  deps: WebhookDeps,
  configured: readonly ConfiguredWebhook[],
  attributes: AdmissionAttributes,
  hooks: HookContext,
  rounds: Rounds,
): Promise<void> {
  let view = ownView(attributes);
  let patchedOnce = false;
  for (const [index, { id, configuration, hook }] of configured.entries()) {
    const chosen = await chooseView(hook, attributes, view, { ...deps, hooks });
    if (chosen === undefined || (rounds.second && !rounds.askAgain.has(id))) continue;
    const key = `mutation.webhook.admission.k8s.io/round_${rounds.second ? 1 : 0}_index_${index}`;
    const note = (mutated: boolean): void =>
      attributes.annotate?.(key, JSON.stringify({ configuration, webhook: hook.name, mutated }));
    const patched = await askOne(deps, hook, attributes, chosen, {
      failed: (name) => attributes.annotate?.(`failed-open.${key}`, name),
      refused: () => note(false),
    });
    const changed = patched !== undefined && !sameJson(patched.object, chosen.object);
    note(changed);
    view = patched ?? chosen;
    patchedOnce ||= patched !== undefined;
    if (changed) {
      requireAgain(rounds);
      rounds.changed = true;
    }
    if (hook.reinvocationPolicy === 'IfNeeded') rounds.asked.add(id);
  }
  if (patchedOnce) writeBack(attributes, await viewAs(deps.registry, attributes, view, attributes.type));
  rounds.output = attributes.object && cloneJson(attributes.object);
}

/** The view as the webhook changed it; undefined when it did not, or failed and may. */
async function askOne(
  deps: WebhookDeps,
  hook: Webhook,
  attributes: AdmissionAttributes,
  view: RequestView,
  notes: { readonly failed: (hookName: string) => void; readonly refused: () => void },
): Promise<RequestView | undefined> {
  try {
    const { patch, patchType } = await askWebhook(deps, hook, attributes, view, true);
    const operations = patch === undefined ? [] : readPatch(hook, patch);
    if (operations.length === 0) return undefined;
    if (view.object === undefined) {
      const text = 'attempted to modify the object, which is not supported for this operation';
      throw internalError(`admission webhook ${goQuote(hook.name)} ${text}`);
    }
    if (patchType !== 'JSONPatch') throw new FailedCall(hook, `unsupported patch type ${goQuote(patchType)}`);
    return patchView(view, operations, isScale(attributes) || attributes.kind !== undefined);
  } catch (error) {
    notes.refused();
    settleFailure(hook, error, notes.failed);
    return undefined;
  }
}

function writeBack(attributes: AdmissionAttributes, { object: made }: RequestView): void {
  const { object, type } = attributes;
  if (object === undefined || made === undefined) return;
  const next = isScale(attributes) ? fromScale(type, cloneJson(object) as StoredObject, made) : made;
  replaceContent(object, next);
}
