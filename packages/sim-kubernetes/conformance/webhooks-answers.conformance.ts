import { describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import { allow, verdict } from './kit/webhook-server.ts';
import { configMap, dry, ruleOf, useWebhooks } from './kit/webhooks.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('webhooks-answers');
const { configMaps, hook, questions, said, server, withHooks } = useWebhooks(api);

describe('a refusal', () => {
  const statuses: Readonly<Record<string, Loose>> = {
    'without a word': undefined,
    'with a message': { message: 'not today' },
    'with a reason': { reason: 'Conflict' },
    'with a code': { code: 418, message: 'a teapot' },
    'with a code of success': { code: 200, status: 'Success', message: 'all is well' },
    'with everything': {
      code: 422,
      reason: 'Invalid',
      message: 'wrong',
      details: { name: 'x', causes: [{ field: 'data', message: 'bad', reason: 'FieldValueInvalid' }] },
    },
  };
  describe.each(['mutating', 'validating'] as const)('of a %s webhook', (kind) => {
    test.each(Object.entries(statuses))('%s', async (title, status) => {
      const path = `/refusal-${kind}-${title.replaceAll(' ', '-')}`;
      server().on(path, (asked) =>
        verdict(asked, { allowed: false, warnings: ['think again'], ...(status && { status }) }),
      );
      const answer = await withHooks(kind, [hook(path, { name: 'refuse.example.com' })], () =>
        api.post(configMaps(), configMap('refused')),
      );
      expect(said(answer)).toEqual(golden(`refusal of ${kind} ${title}`));
      expect((await api.get(`${configMaps()}/refused`)).status).toBe(404);
    });
  });

  test('keeps an object from being deleted', async () => {
    server().on('/no-delete', (asked) => verdict(asked, { allowed: false, status: { message: 'keep it', code: 403 } }));
    await api.post(configMaps(), configMap('kept'));
    const rules = [ruleOf({ operations: ['DELETE'] })];
    const answer = await withHooks('validating', [hook('/no-delete', { rules })], () =>
      api.del(`${configMaps()}/kept`),
    );
    expect(said(answer)).toEqual(golden('refused deletion'));
    expect((await api.get(`${configMaps()}/kept`)).status).toBe(200);
  });
});

describe('warnings', () => {
  test('of all webhooks reach the caller', async () => {
    server().on('/warns', (asked) => verdict(asked, { allowed: true, warnings: ['old "style"', 'and more'] }));
    const answer = await withHooks('validating', [hook('/warns')], () =>
      api.post(configMaps(), configMap('warned'), dry),
    );
    expect(answer.status).toBe(201);
    expect(answer.headers['warning']).toBe(String.raw`299 - "old \"style\"", 299 - "and more"`);
  });
});

test('an answer may be YAML, but may not leave out its kind', async () => {
  server().on('/kindless', ({ body }) => ({ response: { uid: body.request.uid, allowed: true } }));
  server().on('/yaml', ({ body }) => ({
    status: 200,
    text: `apiVersion: admission.k8s.io/v1\nkind: AdmissionReview\nresponse:\n  uid: ${body.request.uid}\n  allowed: true\n`,
  }));
  const statuses: Loose[] = [];
  for (const path of ['/kindless', '/yaml']) {
    const answer = await withHooks('mutating', [hook(path)], () => api.post(configMaps(), configMap('lax'), dry));
    statuses.push(said(answer));
  }
  expect(statuses).toEqual(golden('lax answers'));
});

test('a webhook may be asked in v1beta1', async () => {
  const patch = Buffer.from(JSON.stringify([{ op: 'add', path: '/data/old', value: 'yes' }])).toString('base64');
  server().on('/old', () => ({
    apiVersion: 'admission.k8s.io/v1beta1',
    kind: 'AdmissionReview',
    response: { allowed: true, patch },
  }));
  const answer = await withHooks('mutating', [hook('/old', { admissionReviewVersions: ['v9', 'v1beta1', 'v1'] })], () =>
    api.post(configMaps(), configMap('old'), dry),
  );
  expect(answer.body.data).toEqual({ a: '1', old: 'yes' });
  expect(questions('/old')).toEqual(golden('question in v1beta1'));
});

describe('order', () => {
  test('of mutating webhooks is that of the names of their configurations', async () => {
    const order: string[] = [];
    for (const path of ['/order-1', '/order-2', '/order-3']) {
      server().on(path, (asked) => {
        order.push(path);
        return allow(asked);
      });
    }
    await withHooks('mutating', [hook('/order-1'), hook('/order-2')], () =>
      withHooks('mutating', [hook('/order-3')], () => api.post(configMaps(), configMap('ordered'), dry)),
    );
    expect(order).toEqual(['/order-1', '/order-2', '/order-3']);
  });
});
