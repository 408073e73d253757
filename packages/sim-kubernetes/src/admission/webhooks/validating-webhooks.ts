import type { AdmissionAttributes, AdmissionPlugin } from '../../registry/admission.ts';
import type { HookContext } from '../../registry/resource-type.ts';
import { askWebhook, settleFailure } from './ask-webhook.ts';
import type { WebhookDeps } from './ask-webhook.ts';
import { chooseView } from './choose-view.ts';
import { ownView } from './request-view.ts';
import { configuredWebhooks, webhookGroup } from './webhook-configuration.ts';
import type { ConfiguredWebhook } from './webhook-configuration.ts';

/** ValidatingAdmissionWebhook: asks all webhooks at the same time, waits for all, and passes one refusal on. */
export function createValidatingWebhooks(deps: WebhookDeps): AdmissionPlugin {
  return {
    name: 'ValidatingAdmissionWebhook',
    validate: (attributes, hooks) => {
      if (attributes.type.group === webhookGroup) return undefined;
      const configured = configuredWebhooks(hooks, 'validating');
      return configured.length === 0 ? undefined : askAll(deps, configured, attributes, hooks);
    },
  };
}

async function askAll(
  deps: WebhookDeps,
  configured: readonly ConfiguredWebhook[],
  attributes: AdmissionAttributes,
  hooks: HookContext,
): Promise<void> {
  const own = ownView(attributes);
  const calls: (() => Promise<void>)[] = [];
  for (const { hook } of configured) {
    const view = await chooseView(hook, attributes, own, { ...deps, hooks });
    if (view === undefined) continue;
    const key = `failed-open.validating.webhook.admission.k8s.io/round_0_index_${calls.length}`;
    calls.push(async () => {
      try {
        await askWebhook(deps, hook, attributes, view, false);
      } catch (error) {
        settleFailure(hook, error, (name) => attributes.annotate?.(key, name));
      }
    });
  }
  // kube-apiserver passes on the refusal that comes first; so that a simulation repeats, here it is the first in order.
  const answers = await Promise.allSettled(calls.map((call) => call()));
  const refused = answers.find((answer) => answer.status === 'rejected');
  if (refused !== undefined) throw refused.reason;
}
