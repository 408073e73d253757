import { describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { uniqueName } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import { verdict } from './kit/webhook-server.ts';
import { configurationKinds, dry, ruleOf, webhooksPath, useWebhooks } from './kit/webhooks.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('webhooks-configurations');
const { hook, namespace, said, server, withHooks } = useWebhooks(api);

describe('webhook configurations', () => {
  test.each(['mutating', 'validating'] as const)('%s ones are stored with defaults', async (kind) => {
    const name = uniqueName('defaults');
    const path = `${webhooksPath}/${configurationKinds[kind].toLowerCase()}s`;
    const service = { name: 'svc', namespace: 'nowhere' };
    const never = { matchLabels: { never: 'ever' } };
    const created = await api.post(path, {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: configurationKinds[kind],
      metadata: { name },
      webhooks: [
        hook('/a', { namespaceSelector: undefined, objectSelector: never, rules: [ruleOf({ resources: ['none'] })] }),
        hook('/b', { clientConfig: { service }, rules: undefined }),
      ],
    });
    expect(said(created, { [name]: '<name>' })).toEqual(golden(`${kind} defaults`));
    const changed = await api.patch(`${path}/${name}`, 'json', [{ op: 'remove', path: '/webhooks/1' }]);
    expect(changed.body.metadata.generation).toBe(2);
    const labelled = await api.patch(`${path}/${name}`, 'merge', { metadata: { labels: { a: 'b' } } });
    expect(labelled.body.metadata.generation).toBe(2);
    const table = await api.get(`${path}/${name}`, {}, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
    expect(table.body.rows[0].cells.slice(1, 2)).toEqual([1]);
    expect((await api.del(`${path}/${name}`)).status).toBe(200);
  });

  const faults: Readonly<Record<string, () => Loose>> = {
    'no name': () => ({ name: undefined }),
    'a name of two parts': () => ({ name: 'two.parts' }),
    'a name that is none': () => ({ name: 'Not_A.name.example' }),
    'no address': () => ({ clientConfig: {} }),
    'two addresses': () => ({ clientConfig: { url: 'https://a', service: { name: 'a', namespace: 'b' } } }),
    'an address that is not https': () => ({ clientConfig: { url: 'http://user:pass@host/path?query=1#fragment' } }),
    'an address without host': () => ({ clientConfig: { url: 'https:///path' } }),
    'a service without name': () => ({ clientConfig: { service: { namespace: 'b', port: 70_000 } } }),
    'a service without namespace': () => ({ clientConfig: { service: { name: 'b', path: 'no//Slash' } } }),
    'no rules in a rule': () => ({ rules: [{}] }),
    'stars beside others': () => ({
      rules: [
        {
          operations: ['*', 'CREATE'],
          apiGroups: ['*', 'a'],
          apiVersions: ['*', 'b', ''],
          resources: ['*', 'pods', 'pods/*', 'pods/status', '*/scale', 'a/scale', '*/*', ''],
        },
      ],
    }),
    'a star before a resource': () => ({ rules: [ruleOf({ resources: ['*', 'pods'] })] }),
    'unknown words': () => ({
      failurePolicy: 'Perhaps',
      matchPolicy: 'Nearly',
      sideEffects: 'Some',
      rules: [ruleOf({ operations: ['READ'], scope: 'Here' })],
    }),
    'no side effects said': () => ({ sideEffects: undefined }),
    'a timeout too long': () => ({ timeoutSeconds: 31 }),
    'a timeout too short': () => ({ timeoutSeconds: 0 }),
    'no review versions': () => ({ admissionReviewVersions: [] }),
    'unknown review versions': () => ({ admissionReviewVersions: ['v9', 'v9', 'V_'] }),
    'bad selectors': () => ({
      namespaceSelector: { matchExpressions: [{ key: 'a b', operator: 'In' }] },
      objectSelector: { matchExpressions: [{ key: 'a', operator: 'Is', values: ['x'] }] },
    }),
    'bad conditions': () => ({
      matchConditions: [
        { name: '', expression: ' ' },
        { name: 'a b', expression: 'true' },
        { name: 'twice', expression: 'true' },
        { name: 'twice', expression: 'true' },
      ],
    }),
  };
  test.each(Object.keys(faults))('are refused with %s', async (fault) => {
    const answers = await Promise.all(
      Object.values(configurationKinds).map((kind) =>
        api.post(
          `${webhooksPath}/${kind.toLowerCase()}s`,
          { metadata: { name: 'refused' }, webhooks: [hook('/refused', faults[fault]?.())] },
          dry,
        ),
      ),
    );
    expect(answers.map((answer) => said(answer))).toEqual(golden(`refused: ${fault}`));
  });

  test('are refused when two webhooks have one name', async () => {
    const webhooks = [hook('/same'), hook('/same')];
    const answer = await api.post(
      `${webhooksPath}/validatingwebhookconfigurations`,
      { metadata: { name: 'same' }, webhooks },
      dry,
    );
    expect(said(answer)).toEqual(golden('refused: one name twice'));
  });

  test('with conditions that do not compile name the field', async () => {
    const matchConditions = [{ name: 'broken', expression: 'object.' }];
    const webhooks = [hook('/broken', { matchConditions })];
    const { status, body } = await api.post(
      `${webhooksPath}/validatingwebhookconfigurations`,
      { metadata: { name: 'broken' }, webhooks },
      dry,
    );
    expect(status).toBe(422);
    expect(body.details.causes[0]).toMatchObject({
      field: 'webhooks[0].matchConditions[0].expression',
      reason: 'FieldValueInvalid',
      message: expect.stringMatching(/^Invalid value: "object\.": compilation failed: ERROR: <input>:1:8: /),
    });
  });
});

test('webhooks are not asked about webhook configurations', async () => {
  server().on('/self', (asked) => verdict(asked, { allowed: false }));
  const rules = [ruleOf({ apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: 'Cluster' })];
  const only = { matchConditions: [{ name: 'mine', expression: `request.name.startsWith("self-${namespace()}")` }] };
  await withHooks('validating', [hook('/self', { rules, ...only })], async () => {
    const refused = await api.post(
      '/apis/rbac.authorization.k8s.io/v1/clusterroles',
      { metadata: { name: `self-${namespace()}` } },
      dry,
    );
    expect(refused.status).toBe(400);
    const taken = await api.post(
      `${webhooksPath}/validatingwebhookconfigurations`,
      { metadata: { name: `self-${namespace()}` }, webhooks: [] },
      dry,
    );
    expect(taken.status).toBe(201);
  });
});
