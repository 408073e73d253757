import { builtinKind } from '../../kinds/builtin-kind.ts';
import { age } from '../../kinds/cells/cell-text.ts';
import { child, ensureChild, fill, items, maybeChild, text } from '../../kinds/draft-fields.ts';
import type { Draft } from '../../registry/json.ts';
import type { ResourceType } from '../../registry/resource-type.ts';
import { sameJson } from '../../registry/same-json.ts';
import { webhookConfigurationErrors } from './webhook-configuration-errors.ts';
import { webhookGroup } from './webhook-configuration.ts';

/** MutatingWebhookConfiguration and ValidatingWebhookConfiguration. */
export function webhookKinds(): readonly ResourceType[] {
  return [
    webhookKind('MutatingWebhookConfiguration', { reinvocationPolicy: 'Never' }),
    webhookKind('ValidatingWebhookConfiguration', {}),
  ];
}

function webhookKind(kind: string, ownDefaults: Readonly<Record<string, string>>): ResourceType {
  const plural = `${kind.toLowerCase()}s`;
  const type = builtinKind({
    group: webhookGroup,
    version: 'v1',
    kind,
    cells: (object, nowMs) => [object.metadata.name, items(object, 'webhooks').length, age(object, nowMs)],
    strategy: {
      allowsUnconditionalUpdate: false,
      generationChanged: (next, old) => !sameJson(next['webhooks'], old['webhooks']),
      validate: (object, { get }) => {
        const exists = get(webhookGroup, plural, undefined, text(child(object, 'metadata'), 'name')) !== undefined;
        return exists ? [] : webhookConfigurationErrors(object, undefined);
      },
      validateUpdate: (next, old) => webhookConfigurationErrors(next, old),
    },
  });
  return {
    ...type,
    strategy: {
      ...type.strategy,
      applyDefaults: (draft) => {
        type.strategy.applyDefaults?.(draft);
        for (const hook of items(draft, 'webhooks')) fillWebhook(hook, ownDefaults);
      },
    },
  };
}

function fillWebhook(hook: Draft, ownDefaults: Readonly<Record<string, string>>): void {
  for (const rule of items(hook, 'rules')) fill(rule, { scope: '*' });
  fill(hook, { failurePolicy: 'Fail', matchPolicy: 'Equivalent', timeoutSeconds: 10, ...ownDefaults });
  ensureChild(hook, 'namespaceSelector');
  ensureChild(hook, 'objectSelector');
  const service = maybeChild(maybeChild(hook, 'clientConfig'), 'service');
  if (service !== undefined) fill(service, { port: 443 });
}
