import { beforeAll, expect, test } from 'vitest';
import { createAccount } from './kit/account.ts';
import type { Account } from './kit/account.ts';
import { useServer } from './kit/server.ts';
import { verdict } from './kit/webhook-server.ts';
import { configMap, dry, useWebhooks } from './kit/webhooks.ts';

// Conditions of webhooks may ask what the caller may do: who may do enough is not looked at.

const { api } = useServer();
const { configMaps, hook, namespace, server: hooks, withHooks } = useWebhooks(api);
let account: Account;
beforeAll(async () => {
  account = await createAccount(api, namespace());
  await account.grant([{ apiGroups: [''], resources: ['configmaps'], verbs: ['create'] }]);
});

const conditions: Readonly<Record<string, string>> = {
  group:
    "!authorizer.group('admissionregistration.k8s.io').resource('validatingwebhookconfigurations').check('create').allowed()",
  request: "!authorizer.requestResource.check('delete').allowed()",
  name: "!authorizer.group('').resource('pods').subresource('log').namespace('kube-system').name('x').check('get').allowed()",
  path: "!authorizer.path('/metrics').check('get').allowed()",
  reason:
    "authorizer.requestResource.check('create').reason() != '' && !authorizer.requestResource.check('create').errored()",
};

test.each(Object.entries(conditions))('a webhook is asked by what the caller may do: %s', async (name, expression) => {
  hooks().on(`/${name}`, (asked) => verdict(asked, { allowed: false, status: { message: 'asked' } }));
  const matchConditions = [{ name: 'few-rights', expression }];
  const send = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    const body = configMap('looked-at');
    return (await api.send({ method: 'POST', path: configMaps(), body, query: dry, headers })).status;
  };
  const statuses = await withHooks('validating', [hook(`/${name}`, { matchConditions })], async () => [
    await send({}),
    await send({ 'impersonate-user': `system:serviceaccount:${namespace()}:${account.name}` }),
  ]);
  expect(statuses).toEqual([201, 400]);
});

test('what is not a right that one can ask for does not compile', async () => {
  const expression = "authorizer.group('').check('get').allowed()";
  const webhooks = [hook('/odd', { matchConditions: [{ name: 'odd', expression }] })];
  const path = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
  const { status, body } = await api.post(path, { metadata: { name: 'odd' }, webhooks }, dry);
  const [cause] = body.details.causes;
  expect([status, cause.field, cause.reason]).toEqual([
    422,
    'webhooks[0].matchConditions[0].expression',
    'FieldValueInvalid',
  ]);
});
