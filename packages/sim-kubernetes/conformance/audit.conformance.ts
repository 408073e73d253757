import { beforeAll, describe, expect, test } from 'vitest';
import { followAudit, maskedEvent } from './kit/audit.ts';
import type { Audited } from './kit/audit.ts';
import { createAccount } from './kit/account.ts';
import type { Account } from './kit/account.ts';
import { useGolden } from './kit/golden.ts';
import { pod } from './kit/new-pod.ts';
import { createCrd } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import { patchWith, verdict } from './kit/webhook-server.ts';
import { configMap, useWebhooks } from './kit/webhooks.ts';
import type { Call, Loose } from './kit/wire-client.ts';

// The audit log of both servers, at level Metadata without RequestReceived: the same requests give the same events.

const { api, server } = useServer();
const golden = useGolden('audit');
const { configMaps, hook, namespace, server: hooks, withHooks } = useWebhooks(api);
let audited: Audited;
let crd: ScratchCrd;
let account: Account;
beforeAll(async () => {
  audited = followAudit(api, server());
  crd = await createCrd(api, { subresources: { status: {}, scale: scalePaths } });
  account = await createAccount(api, namespace());
  await account.grant([{ apiGroups: [''], resources: ['configmaps'], verbs: ['get'] }]);
});

const scalePaths = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
const merge = { 'content-type': 'application/merge-patch+json' };
const apply = { 'content-type': 'application/apply-patch+yaml' };
const at = (path: string): string => path.replaceAll('NS', namespace()).replaceAll('GROUP', crd.group);

async function seen(call: Call, count?: number): Promise<readonly Loose[]> {
  const events = await audited.eventsOf({ ...call, path: at(call.path) }, count);
  const names = {
    [namespace()]: '<namespace>',
    [crd.group]: '<group>',
    [account.name]: '<account>',
    ...Object.fromEntries(events.map(({ auditID }) => [auditID, '<id>'])),
  };
  return events.map((event) => maskedEvent(event, names));
}

const maps = '/api/v1/namespaces/NS/configmaps';
const rivers = '/apis/GROUP/v1/namespaces/NS/rivers';
const pods = '/api/v1/namespaces/NS/pods';
const as = (user: string, ...groups: readonly string[]): Record<string, string> => ({
  'impersonate-user': user,
  ...(groups.length > 0 && { 'impersonate-group': groups.join(',') }),
});

const requests: Readonly<Record<string, readonly Call[]>> = {
  'objects of a built-in kind': [
    { method: 'POST', path: maps, body: configMap('a'), query: { fieldManager: 'me', dryRun: 'All' } },
    { method: 'POST', path: maps, body: configMap('a') },
    { method: 'POST', path: maps, body: configMap('a') },
    { method: 'POST', path: maps, body: { metadata: { generateName: 'made-' } } },
    { method: 'POST', path: maps, body: { metadata: { name: 'A_B' } } },
    { method: 'POST', path: maps, body: '{"metadata":' },
    { method: 'GET', path: `${maps}/a` },
    { method: 'GET', path: `${maps}/none`, query: { resourceVersion: '0' } },
    { method: 'GET', path: maps, query: { limit: 1, labelSelector: 'a in (b, c)' } },
    { method: 'GET', path: maps, query: { fieldSelector: 'metadata.name=a' } },
    { method: 'GET', path: '/api/v1/configmaps', query: { limit: 1 } },
    { method: 'PUT', path: `${maps}/a`, body: configMap('a', { metadata: { resourceVersion: '1' } }) },
    { method: 'PUT', path: `${maps}/a`, body: configMap('a', { data: { b: '2' } }) },
    { method: 'PATCH', path: `${maps}/a`, body: { data: { c: '3' } }, headers: merge },
    {
      method: 'PATCH',
      path: `${maps}/a`,
      body: configMap('a'),
      headers: apply,
      query: { fieldManager: 'x', force: true },
    },
    { method: 'DELETE', path: `${maps}/a`, body: { propagationPolicy: 'Background' } },
    { method: 'DELETE', path: `${maps}/a` },
    { method: 'DELETE', path: maps, query: { labelSelector: 'none=such' } },
    { method: 'GET', path: '/api/v1/namespaces/NS/endpoints' },
    { method: 'GET', path: '/api/v1/namespaces/NS' },
    { method: 'PUT', path: '/api/v1/namespaces/NS/finalize', body: {} },
    { method: 'GET', path: '/api/v1/namespaces/NS/nothings/x' },
  ],
  'custom objects': [
    { method: 'POST', path: rivers, body: { apiVersion: 'GROUP/v1', kind: 'River', metadata: { name: 'elbe' } } },
    { method: 'GET', path: `${rivers}/elbe` },
    { method: 'PATCH', path: `${rivers}/elbe/status`, body: { status: { replicas: 1 } }, headers: merge },
    { method: 'GET', path: `${rivers}/elbe/scale` },
    { method: 'PATCH', path: `${rivers}/elbe/scale`, body: { spec: { replicas: 2 } }, headers: merge },
    { method: 'GET', path: '/apis/GROUP/v2/rivers' },
    { method: 'DELETE', path: `${rivers}/elbe` },
  ],
  'what is no resource': [
    { method: 'GET', path: '/version' },
    { method: 'GET', path: '/healthz', query: { verbose: true } },
    { method: 'GET', path: '/nothing' },
    { method: 'POST', path: '/api/v1' },
    { method: 'GET', path: '/apis/apps/v1' },
  ],
  'pods and accounts': [
    { method: 'POST', path: pods, body: pod('p') },
    { method: 'PATCH', path: `${pods}/p`, body: { metadata: { labels: { a: 'b' } } }, headers: merge },
    { method: 'PATCH', path: `${pods}/p/status`, body: { status: { phase: 'Running' } }, headers: merge },
    {
      method: 'POST',
      path: `${pods}/p/eviction`,
      body: { metadata: { name: 'p', namespace: 'NS' } },
      query: { dryRun: 'All' },
    },
    { method: 'POST', path: '/api/v1/namespaces/NS/serviceaccounts/default/token', body: { spec: {} } },
    { method: 'DELETE', path: `${pods}/p`, query: { gracePeriodSeconds: 0 } },
  ],
  'who asks': [
    { method: 'GET', path: maps, headers: { authorization: 'Basic eDp5' } },
    { method: 'GET', path: `${maps}/a`, headers: as('jane', 'devs') },
    { method: 'GET', path: '/healthz', headers: as('jane', 'system:authenticated') },
    { method: 'POST', path: maps, body: configMap('a'), headers: as('system:serviceaccount:NS:default') },
    { method: 'GET', path: '/version', headers: { 'user-agent': `long/${'x'.repeat(2000)}` } },
    { method: 'GET', path: '/version', headers: { 'x-forwarded-for': '10.1.1.1, 10.1.1.2', 'x-real-ip': '10.1.1.3' } },
  ],
};

for (const [name, calls] of Object.entries(requests)) {
  test(name, async () => {
    const events: Loose[] = [];
    for (const call of calls) {
      const body = typeof call.body === 'object' ? JSON.parse(at(JSON.stringify(call.body))) : call.body;
      const headers = call.headers && JSON.parse(at(JSON.stringify(call.headers)));
      events.push(...(await seen({ ...call, ...(body && { body }), ...(headers && { headers }) })));
    }
    expect(events).toEqual(golden(name));
  });
}

test('a token that counts for nobody', async () => {
  expect(await seen({ method: 'GET', path: maps, headers: { authorization: 'Bearer nobody' } })).toEqual(
    golden('unknown token'),
  );
});

test('an account with rights, and where it has none', async () => {
  const headers = { authorization: `Bearer ${account.token}` };
  const [allowed] = await seen({ method: 'GET', path: `${maps}/none`, headers });
  expect({ ...allowed, user: { ...allowed?.user, extra: undefined } }).toEqual(golden('allowed'));
  const [refused] = await seen({ method: 'GET', path: maps, headers });
  expect({ ...refused, user: { ...refused?.user, extra: undefined } }).toEqual(golden('refused'));
  expect(Object.keys(refused?.user.extra)).toEqual(['authentication.kubernetes.io/credential-id']);
});

test('a watch is told of when it begins and when it ends', async () => {
  const query = { watch: true, timeoutSeconds: 1, labelSelector: 'none=such', resourceVersion: '0' };
  expect(await seen({ method: 'GET', path: maps, query }, 2)).toEqual(golden('watch'));
});

test('what needs a kubelet counts as a request that goes on', async () => {
  await api.post(at(pods), pod('still'));
  expect(await seen({ method: 'GET', path: `${pods}/none/log` }, 2)).toEqual(golden('log'));
  expect(await seen({ method: 'GET', path: `${pods}/none/exec`, query: { command: 'ls' } }, 2)).toEqual(golden('exec'));
});

describe('webhooks', () => {
  test('say what they did', async () => {
    hooks().on('/noting', (asked) => ({
      ...patchWith(asked, [{ op: 'add', path: '/data/b', value: '2' }]),
    }));
    hooks().on('/judging', (asked) => {
      const answer = verdict(asked, { allowed: false });
      return { ...answer, response: { ...answer.response, auditAnnotations: { why: 'because' } } };
    });
    const write = { method: 'POST', path: configMaps(), body: configMap('noted') };
    const events = await withHooks('mutating', [hook('/noting')], () =>
      withHooks('validating', [hook('/judging')], () => seen(write)),
    );
    const [event] = events;
    expect(JSON.stringify(event?.annotations).replaceAll(/"configuration\\":\\"[^"]*\\"/g, 'configuration')).toEqual(
      golden('webhook annotations'),
    );
  });

  test('that failed and may are noted', async () => {
    const broken = hook('/broken', { failurePolicy: 'Ignore' });
    hooks().on('/broken', (asked) =>
      asked.body.request.name === 'goes-on' ? { text: '', status: 500 } : verdict(asked, { allowed: true }),
    );
    const write = { method: 'POST', path: configMaps(), body: configMap('goes-on') };
    for (const kind of ['mutating', 'validating'] as const) {
      const [event] = await withHooks(kind, [broken], () => seen({ ...write, query: { dryRun: 'All' } }));
      const keys = Object.entries(event?.annotations).filter(([key]) => key.startsWith('failed-open'));
      expect(keys).toEqual(golden(`failed open, ${kind}`));
    }
  });
});
