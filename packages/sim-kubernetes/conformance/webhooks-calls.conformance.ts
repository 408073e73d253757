import { beforeAll, describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { pod } from './kit/new-pod.ts';
import { useServer } from './kit/server.ts';
import { allow, patchWith, verdict } from './kit/webhook-server.ts';
import { dry, ruleOf, useWebhooks } from './kit/webhooks.ts';
import type { Call, Loose } from './kit/wire-client.ts';

// Webhooks are also asked about what is never stored: bindings, evictions, tokens and connections.

const { api } = useServer();
const golden = useGolden('webhooks-calls');
const { hook, namespace, questions, said, server, withHooks } = useWebhooks(api);
const pods = (): string => `/api/v1/namespaces/${namespace()}/pods`;
beforeAll(async () => {
  for (const name of ['bound', 'evicted', 'kept']) await api.post(pods(), pod(name));
});

const eviction = (name: string): Loose => ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } });
const binding = (name: string): Loose => ({
  apiVersion: 'v1',
  kind: 'Binding',
  metadata: { name },
  target: { apiVersion: 'v1', kind: 'Node', name: 'nowhere' },
});
const token = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { expirationSeconds: 700 } };

type Asked = readonly [resources: readonly string[], call: () => Call];
const calls: Readonly<Record<string, Asked>> = {
  binding: [['pods/binding'], () => ({ method: 'POST', path: `${pods()}/bound/binding`, body: binding('bound') })],
  eviction: [
    ['pods', 'pods/eviction'],
    () => ({ method: 'POST', path: `${pods()}/evicted/eviction`, body: eviction('evicted'), query: dry }),
  ],
  token: [
    ['serviceaccounts/token'],
    () => ({ method: 'POST', path: `/api/v1/namespaces/${namespace()}/serviceaccounts/default/token`, body: token }),
  ],
  exec: [
    ['pods/*'],
    () => ({ method: 'POST', path: `${pods()}/kept/exec?command=a&command=b&stdin=true&container=main` }),
  ],
  attach: [['pods/attach'], () => ({ method: 'GET', path: `${pods()}/kept/attach?stderr=false` })],
  'port-forward': [['pods/portforward'], () => ({ method: 'POST', path: `${pods()}/kept/portforward?ports=80` })],
  proxy: [['pods/proxy'], () => ({ method: 'GET', path: `${pods()}/kept/proxy` })],
};

describe.each(['mutating', 'validating'] as const)('%s webhooks are asked about', (kind) => {
  test.each(Object.entries(calls))('%s', async (name, [resources, call]) => {
    const path = `/${kind}-${name}`;
    server().on(path, allow);
    const { method, body, query, path: at } = call();
    // Asked of what does not go on, so that it can be asked again.
    const refuse = hook(`/refuse-${kind}-${name}`, { rules: [ruleOf({ resources })] });
    server().on(`/refuse-${kind}-${name}`, (asked) => verdict(asked, { allowed: false, status: { message: 'no' } }));
    const answer = await withHooks('validating', [refuse], () =>
      withHooks(kind, [hook(path, { rules: [ruleOf({ resources })] })], () =>
        api.send({ method, path: at, ...(body !== undefined && { body }), ...(query && { query }) }),
      ),
    );
    expect({ questions: questions(path), answer: said(answer) }).toEqual(golden(`${kind} ${name}`));
  });
});

test('an eviction that was admitted is not asked about again as a deletion', async () => {
  server().on('/deletion', allow);
  const answer = await withHooks('validating', [hook('/deletion', { rules: [ruleOf({ resources: ['pods'] })] })], () =>
    api.post(`${pods()}/evicted/eviction`, eviction('evicted'), dry),
  );
  expect([answer.status, questions('/deletion')]).toEqual([201, []]);
});

test('what is asked for can be changed', async () => {
  server().on('/longer', (asked) => patchWith(asked, [{ op: 'replace', path: '/spec/expirationSeconds', value: 900 }]));
  const longer = hook('/longer', { rules: [ruleOf({ resources: ['serviceaccounts/token'] })] });
  const { status, body } = await withHooks('mutating', [longer], () =>
    api.post(`/api/v1/namespaces/${namespace()}/serviceaccounts/default/token`, token),
  );
  expect([status, body.spec.expirationSeconds]).toEqual([201, 900]);
});
