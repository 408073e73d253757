import { describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { createCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import { allow, patchWith, verdict } from './kit/webhook-server.ts';
import type { WebhookServer } from './kit/webhook-server.ts';
import { configMap, dry, ruleOf, useWebhooks } from './kit/webhooks.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('webhooks-patches');
const { configMaps, hook, namespace, said, server, withHooks } = useWebhooks(api);

describe('a patch', () => {
  test('changes the object, and the next webhook sees it', async () => {
    server().on('/patch-1', (asked) => patchWith(asked, [{ op: 'add', path: '/data/one', value: '1' }]));
    server().on('/patch-2', (asked) =>
      patchWith(asked, [{ op: 'add', path: '/metadata/labels', value: { two: '2' } }]),
    );
    const answer = await withHooks('mutating', [hook('/patch-1'), hook('/patch-2')], () =>
      api.post(configMaps(), configMap('patched')),
    );
    expect(said(answer)).toEqual(golden('patched'));
    expect(server().asked('/patch-2')[0]?.body.request.object.data).toEqual({ a: '1', one: '1' });
    expect(server().asked('/patch-1')).toHaveLength(1);
  });

  test('is read like a body: unknown fields go and defaults come', async () => {
    const spec = {
      type: 'object',
      properties: { depth: { type: 'integer' }, unit: { type: 'string', default: 'm' } },
    };
    const crd = await createCrd(api, { spec });
    server().on('/custom', (asked) =>
      patchWith(asked, [{ op: 'add', path: '/spec', value: { depth: 3, unknown: true } }]),
    );
    const rules = [ruleOf({ apiGroups: [crd.group], resources: ['rivers'] })];
    const answer = await withHooks('mutating', [hook('/custom', { rules })], () =>
      api.post(crd.at(namespace()), crd.object('custom')),
    );
    expect(answer.status).toBe(201);
    const { body } = await api.get(`${crd.at(namespace())}/custom`);
    expect(body.spec).toEqual({ depth: 3, unit: 'm' });
  });

  test('that breaks the object is refused by the validation behind it', async () => {
    const spec = { type: 'object', properties: { depth: { type: 'integer', minimum: 0 } } };
    const crd = await createCrd(api, { spec });
    server().on('/breaks', (asked) => patchWith(asked, [{ op: 'add', path: '/spec', value: { depth: -3 } }]));
    const rules = [ruleOf({ apiGroups: [crd.group], resources: ['rivers'] })];
    const answer = await withHooks('mutating', [hook('/breaks', { rules })], () =>
      api.post(crd.at(namespace()), crd.object('broken')),
    );
    expect(said(answer, { [crd.group]: '<group>' })).toEqual(golden('patch against the schema'));
  });

  test('can change status through the status subresource only', async () => {
    const crd = await createCrd(api, { subresources: { status: {} } });
    const operations = [{ op: 'add', path: '/status', value: { set: 'by webhook' } }];
    server().on('/status', (asked) => patchWith(asked, operations));
    const rules = [ruleOf({ apiGroups: [crd.group], resources: ['rivers', 'rivers/status'] })];
    await withHooks('mutating', [hook('/status', { rules })], async () => {
      const created = await api.post(crd.at(namespace()), crd.object('status', { spec: { a: 1 } }));
      expect(created.body.status).toBeUndefined();
      const updated = await api.patch(`${crd.at(namespace())}/status/status`, 'merge', { status: { other: 1 } });
      expect(updated.body.status).toEqual({ set: 'by webhook' });
    });
  });

  const broken: Readonly<Record<string, Loose>> = {
    'that is no JSON': { patchType: 'JSONPatch', patch: Buffer.from('nonsense').toString('base64') },
    'without a type': { patch: Buffer.from('[]').toString('base64') },
    'with a type and no patch': { patchType: 'JSONPatch' },
    'of an unknown type': {
      patchType: 'Other',
      patch: Buffer.from('[{"op":"remove","path":"/data"}]').toString('base64'),
    },
  };
  test.each(Object.entries(broken))('%s is a failed call', async (title, response) => {
    const path = `/broken-${title.replaceAll(' ', '-')}`;
    server().on(path, (asked) => verdict(asked, { allowed: true, ...response }));
    const answer = await withHooks('mutating', [hook(path, { name: 'broken.example.com' })], () =>
      api.post(configMaps(), configMap('x'), dry),
    );
    expect(said(answer)).toEqual(golden(`patch ${title}`));
  });

  test('of an object that goes away is refused', async () => {
    server().on('/gone', (asked) => patchWith(asked, [{ op: 'add', path: '/metadata/labels', value: {} }]));
    await api.post(configMaps(), configMap('going'));
    const answer = await withHooks('mutating', [hook('/gone', { rules: [ruleOf({ operations: ['DELETE'] })] })], () =>
      api.del(`${configMaps()}/going`),
    );
    expect(said(answer)).toEqual(golden('patch of a deletion'));
  });
});

describe('a second round', () => {
  const adds =
    (key: string): Parameters<WebhookServer['on']>[1] =>
    (asked) =>
      asked.body.request.object.data[key] === undefined
        ? patchWith(asked, [{ op: 'add', path: `/data/${key}`, value: 'yes' }])
        : allow(asked);
  test('comes to webhooks that ask for it when one behind them changed the object', async () => {
    server().on('/again-a', adds('x'));
    server().on('/again-b', adds('y'));
    server().on('/again-c', allow);
    const again = { reinvocationPolicy: 'IfNeeded' };
    await withHooks('mutating', [hook('/again-a', again), hook('/again-b'), hook('/again-c', again)], () =>
      api.post(configMaps(), configMap('again'), dry),
    );
    const seen = ['/again-a', '/again-b', '/again-c'].map((path) =>
      server()
        .asked(path)
        .map(({ body }) => Object.keys(body.request.object.data).join('')),
    );
    expect(seen).toEqual([['a', 'axy'], ['ax'], ['axy']]);
  });

  test('comes once, however often they change it', async () => {
    let count = 0;
    server().on('/counts', (asked) =>
      patchWith(asked, [{ op: 'add', path: `/data/count-${(count += 1)}`, value: 'x' }]),
    );
    server().on('/counts-too', (asked) =>
      patchWith(asked, [{ op: 'add', path: `/data/count-${(count += 1)}`, value: 'x' }]),
    );
    const again = { reinvocationPolicy: 'IfNeeded' };
    const answer = await withHooks('mutating', [hook('/counts', again), hook('/counts-too', again)], () =>
      api.post(configMaps(), configMap('counted'), dry),
    );
    expect(answer.status).toBe(201);
    expect([server().asked('/counts').length, server().asked('/counts-too').length]).toEqual(golden('rounds'));
  });
});
