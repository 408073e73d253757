import { describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import { allow } from './kit/webhook-server.ts';
import { configMap, dry, useWebhooks } from './kit/webhooks.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('webhooks-failures');
const { configMaps, hook, said, server, withHooks } = useWebhooks(api);

describe('a webhook that fails', () => {
  const failures: Readonly<Record<string, () => Loose>> = {
    'with an error of the server': () => ({ status: 500, text: 'boom "x"' }),
    'with an error of the server in JSON': () => ({ status: 500, text: '{"a":1}', type: 'application/json' }),
    'with 404': () => ({ status: 404, text: 'nothing here' }),
    'with 403': () => ({ status: 403, text: 'go away' }),
    'with 503': () => ({ status: 503, text: '' }),
    'with 418': () => ({ status: 418, text: 'teapot' }),
    'with nonsense': () => ({ status: 200, text: 'nonsense' }),
    'without a kind': () => ({ a: 1 }),
    'with an answer of another kind': () => ({ kind: 'Other', apiVersion: 'v1', response: { allowed: true } }),
    'with a list': () => [1],
    'with broken YAML': () => ({ status: 200, text: '{"a": [' }),
    'without a response': () => ({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1' }),
    'with the uid of another': () => ({
      kind: 'AdmissionReview',
      apiVersion: 'admission.k8s.io/v1',
      response: { uid: 'other', allowed: true },
    }),
  };
  test.each(Object.keys(failures))('%s keeps the request from going on', async (title) => {
    const path = `/failure-${title.replaceAll(' ', '-').toLowerCase()}`;
    server().on(path, () => failures[title]?.());
    const named = { name: 'fails.example.com' };
    const answer = await withHooks('validating', [hook(path, named)], () =>
      api.post(configMaps(), configMap('x'), dry),
    );
    expect(said(answer)).toEqual(golden(`failure ${title}`));
    const ignored = await withHooks('validating', [hook(path, { ...named, failurePolicy: 'Ignore' })], () =>
      api.post(configMaps(), configMap('x'), dry),
    );
    expect(ignored.status).toBe(201);
  });

  test('is one that takes too long', async () => {
    server().on('/slow', () => new Promise(() => undefined));
    const answer = await withHooks('validating', [hook('/slow', { timeoutSeconds: 1 })], () =>
      api.post(configMaps(), configMap('x'), dry),
    );
    expect(said(answer)).toEqual(golden('failure by timeout'));
  });

  const unreachable: Readonly<Record<string, () => Loose>> = {
    'where nobody listens': () => ({ url: 'https://127.0.0.1:1/path', caBundle: server().caBundle }),
    'whose certificate is of another authority': () => ({ url: `${server().url}/x` }),
    'whose certificate is for another name': () => ({
      url: `${server().url.replace('127.0.0.1', '127.0.0.2')}/x`,
      caBundle: server().caBundle,
    }),
    'whose service is not there': () => ({ service: { name: 'none', namespace: 'nowhere', path: '/x' } }),
  };
  test.each(Object.keys(unreachable))('is one %s', async (title) => {
    const clientConfig = unreachable[title]?.();
    const answer = await withHooks('validating', [hook('/unreachable', { clientConfig })], () =>
      api.post(configMaps(), configMap('x'), dry),
    );
    const others = { [server().url.replace('https://127.0.0.1', '127.0.0.2')]: '<other>' };
    expect(said(answer, others)).toEqual(golden(`failure: ${title}`));
  });

  test('in a dry run is one that may have side effects, which no webhook may any more', async () => {
    server().on('/dry', allow);
    await withHooks('mutating', [hook('/dry', { sideEffects: 'NoneOnDryRun' })], async () => {
      expect((await api.post(configMaps(), configMap('dry'), dry)).status).toBe(201);
    });
    expect(server().asked('/dry')[0]?.body.request.dryRun).toBe(true);
  });
});
