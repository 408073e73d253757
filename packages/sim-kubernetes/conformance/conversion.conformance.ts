import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { convertAll, converted, review, versionOf } from './kit/conversion.ts';
import { useGolden } from './kit/golden.ts';
import { masked, maskedAnswer } from './kit/mask.ts';
import { createCrd, createNamespace, eventually } from './kit/scratch.ts';
import type { CrdOptions, ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import { startWebhookServer } from './kit/webhook-server.ts';
import type { Asked, WebhookServer } from './kit/webhook-server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('conversion');
let server: WebhookServer;
let namespace = '';
beforeAll(async () => {
  server = await startWebhookServer();
  namespace = await createNamespace(api);
});
afterAll(async () => {
  await Promise.all(kinds.map(remove));
  await server.close();
});

// Who deletes a namespace asks for its objects of every kind: as long as those of one kind cannot be converted, no
// namespace of the server can go. So a kind goes before its webhook, and one that fails on purpose as soon as it may.
const kinds: ScratchCrd[] = [];
async function createKind(options: CrdOptions): Promise<ScratchCrd> {
  const crd = await createCrd(api, options);
  kinds.push(crd);
  return crd;
}
async function remove({ crdPath }: ScratchCrd): Promise<void> {
  await api.del(crdPath);
  await eventually(
    () => api.get(crdPath),
    ({ status }) => status === 404,
    30_000,
  );
}

const conversionAt = (path: string, versions: readonly string[] = ['v1']): Loose => ({
  strategy: 'Webhook',
  webhook: {
    clientConfig: { url: `${server.url}${path}`, caBundle: server.caBundle },
    conversionReviewVersions: versions,
  },
});

async function createConverted(path: string, more: Loose = {}): Promise<ScratchCrd> {
  server.on(path, convertAll);
  const versions = [versionOf('v1', 'metres', { storage: true }), versionOf('v2', 'feet', more)];
  return createKind({ versions, extra: { conversion: conversionAt(path) } });
}

const v2Object = (crd: ScratchCrd, name: string, spec: Loose): Loose => ({
  ...crd.object(name, { spec }),
  apiVersion: `${crd.group}/v2`,
});
const masking = (crd: ScratchCrd): Readonly<Record<string, string>> => ({
  [crd.group]: '<group>',
  [namespace]: '<namespace>',
  [server.url]: '<webhooks>',
});
const said = (answer: Answer, crd: ScratchCrd): Loose => maskedAnswer(answer, masking(crd));

describe('a conversion webhook', () => {
  let crd: ScratchCrd;
  beforeAll(async () => {
    crd = await createConverted('/convert');
  });

  test('brings objects to the version they are stored in, and back', async () => {
    const created = await api.post(crd.at(namespace, 'v2'), v2Object(crd, 'one', { feet: 9 }));
    expect(said(created, crd)).toEqual(golden('created in v2'));
    const { body } = await api.get(`${crd.at(namespace)}/one`);
    expect([body.apiVersion, body.spec]).toEqual([`${crd.group}/v1`, { metres: 3 }]);
    const again = await api.get(`${crd.at(namespace, 'v2')}/one`);
    expect([again.body.apiVersion, again.body.spec]).toEqual([`${crd.group}/v2`, { feet: 9 }]);
  });

  test('is asked with a ConversionReview', async () => {
    const [first] = server.asked('/convert');
    expect(masked(first?.body, masking(crd))).toEqual(golden('review'));
    expect(first?.headers['url']).toEqual(golden('review path'));
  });

  test('converts for lists, in any version', async () => {
    await api.post(crd.at(namespace), crd.object('two', { spec: { metres: 4 } }));
    const { body } = await api.get(crd.at(namespace, 'v2'));
    expect(body.apiVersion).toBe(`${crd.group}/v2`);
    expect(body.items.map((item: Loose) => [item.apiVersion, item.metadata.name, item.spec])).toEqual([
      [`${crd.group}/v2`, 'one', { feet: 9 }],
      [`${crd.group}/v2`, 'two', { feet: 12 }],
    ]);
  });

  test('converts for updates and patches', async () => {
    const path = `${crd.at(namespace, 'v2')}/one`;
    const patched = await api.patch(path, 'merge', { spec: { feet: 12 } });
    expect([patched.status, patched.body.spec, patched.body.metadata.generation]).toEqual([200, { feet: 12 }, 2]);
    const { body } = await api.get(`${crd.at(namespace)}/one`);
    expect(body.spec).toEqual({ metres: 4 });
    const put = await api.put(path, { ...patched.body, spec: { feet: 15 } });
    expect([put.status, put.body.spec]).toEqual([200, { feet: 15 }]);
    const silent = await api.put(path, put.body);
    expect(silent.body.metadata.resourceVersion).toBe(put.body.metadata.resourceVersion);
  });

  test('leaves validation to the version that was written', async () => {
    const { status, body } = await api.patch(`${crd.at(namespace, 'v2')}/one`, 'merge', { spec: { feet: -3 } });
    expect([status, body.details.causes[0].field]).toEqual([422, 'spec.feet']);
  });

  test('converts what a watch tells', async () => {
    const { body: list } = await api.get(crd.at(namespace, 'v2'));
    const watch = await api.watch(crd.at(namespace, 'v2'), { resourceVersion: list.metadata.resourceVersion });
    await api.post(crd.at(namespace), crd.object('told', { spec: { metres: 1 } }));
    await api.patch(`${crd.at(namespace)}/told`, 'merge', { spec: { metres: 2 } });
    await api.del(`${crd.at(namespace)}/told`);
    const events = await watch.take(3);
    watch.close();
    expect(events.map(({ type, object }) => [type, object.apiVersion, object.spec])).toEqual([
      ['ADDED', `${crd.group}/v2`, { feet: 3 }],
      ['MODIFIED', `${crd.group}/v2`, { feet: 6 }],
      ['DELETED', `${crd.group}/v2`, { feet: 6 }],
    ]);
  });

  test('converts what a watch begins with', async () => {
    const watch = await api.watch(crd.at(namespace, 'v2'), { fieldSelector: 'metadata.name=two' });
    const { type, object } = await watch.next();
    watch.close();
    expect([type, object.apiVersion, object.spec]).toEqual(['ADDED', `${crd.group}/v2`, { feet: 12 }]);
  });

  test('is not asked when nothing is to be converted', async () => {
    const before = server.asked('/convert').length;
    await api.get(`${crd.at(namespace)}/two`, { resourceVersion: '' });
    await api.get(crd.at(namespace));
    expect(server.asked('/convert').length).toBe(before);
  });

  test('converts for deletions', async () => {
    const { status, body } = await api.del(`${crd.at(namespace, 'v2')}/two`);
    expect([status, body.status]).toEqual([200, 'Success']);
  });
});

describe('metadata', () => {
  test('is kept but for labels and annotations', async () => {
    const crd = await createConverted('/metadata');
    server.on('/metadata', (asked) =>
      review(asked, {
        convertedObjects: asked.body.request.objects.map((each: Loose) => ({
          ...converted(each, asked.body.request.desiredAPIVersion),
          metadata: {
            ...each.metadata,
            labels: { ...each.metadata.labels, [asked.body.request.desiredAPIVersion.split('/')[1]]: 'seen' },
            finalizers: ['example.com/webhook'],
            generation: 77,
          },
        })),
      }),
    );
    const created = await api.post(crd.at(namespace, 'v2'), v2Object(crd, 'labelled', { feet: 3 }));
    expect(said(created, crd)).toEqual(golden('metadata of the converted'));
  });
});

describe('a storage version', () => {
  test('may be one that is not served, and old objects are read whatever they were stored in', async () => {
    const crd = await createConverted('/moves');
    await api.post(crd.at(namespace), crd.object('old', { spec: { metres: 2 } }));
    const versions = [versionOf('v1', 'metres', { served: false }), versionOf('v2', 'feet', { storage: true })];
    const patched = await api.patch(crd.crdPath, 'merge', { spec: { versions } });
    expect(patched.body.status.storedVersions).toEqual(['v1', 'v2']);
    const { body } = await eventually(
      () => api.get(`${crd.at(namespace, 'v2')}/old`),
      ({ body }) => body?.spec?.feet === 6,
    );
    expect(body.apiVersion).toBe(`${crd.group}/v2`);
    await eventually(
      () => api.get(`${crd.at(namespace)}/old`),
      ({ status }) => status === 404,
    );
    const asked = server.asked('/moves').length;
    await api.patch(`${crd.at(namespace, 'v2')}/old`, 'merge', { metadata: { labels: { rewritten: 'yes' } } });
    await api.get(`${crd.at(namespace, 'v2')}/old`);
    const after = server.asked('/moves').length;
    await api.get(`${crd.at(namespace, 'v2')}/old`);
    expect(server.asked('/moves').length).toBe(after);
    expect(after).toBeGreaterThan(asked);
  });
});

describe('a conversion webhook that fails', () => {
  const failures: Readonly<Record<string, (asked: Asked) => Loose>> = {
    'with a message': (asked) => review(asked, { result: { status: 'Failure', message: 'no way' } }),
    'without a message': (asked) => review(asked, { result: { status: 'Failure' } }),
    'without a result': (asked) => review(asked, { result: undefined, convertedObjects: [] }),
    'with the uid of another': (asked) => review(asked, { uid: 'other' }),
    'without a response': (asked) => ({ apiVersion: asked.body.apiVersion, kind: 'ConversionReview' }),
    'with an answer of another kind': () => ({ apiVersion: 'v1', kind: 'Other' }),
    'without objects': (asked) => review(asked, { convertedObjects: [] }),
    'with another version': (asked) =>
      review(asked, { convertedObjects: asked.body.request.objects.map((each: Loose) => converted(each, 'a.b/v9')) }),
    'with another kind': (asked) => mutated(asked, { kind: 'Lake' }),
    'with another name': (asked) => mutated(asked, { metadata: { name: 'other' } }),
    'without metadata': (asked) => mutated(asked, { metadata: undefined }),
    'with labels that are none': (asked) =>
      review(asked, {
        convertedObjects: asked.body.request.objects.map((each: Loose) => ({
          ...converted(each, asked.body.request.desiredAPIVersion),
          metadata: { ...each.metadata, labels: { 'a b': 'c d' } },
        })),
      }),
    'with an error of the server': () => ({ status: 500, text: 'boom' }),
    'with 404': () => ({ status: 404, text: 'gone' }),
  };
  const mutated = (asked: Asked, more: Loose): Loose =>
    review(asked, {
      convertedObjects: asked.body.request.objects.map((each: Loose) => ({
        ...converted(each, asked.body.request.desiredAPIVersion),
        ...more,
      })),
    });
  let crd: ScratchCrd;
  beforeAll(async () => {
    crd = await createConverted('/fails');
    await api.post(crd.at(namespace), crd.object('stored', { spec: { metres: 1 } }));
  });
  afterAll(async () => {
    server.on('/fails', convertAll);
    await remove(crd);
  });

  test.each(Object.entries(failures))('%s', async (title, answer) => {
    server.on('/fails', answer);
    const read = await api.get(`${crd.at(namespace, 'v2')}/stored`);
    const made = await api.post(crd.at(namespace, 'v2'), v2Object(crd, 'made', { feet: 3 }));
    expect([said(read, crd), said(made, crd)]).toEqual(golden(`failure ${title}`));
    expect((await api.get(`${crd.at(namespace)}/stored`)).status).toBe(200);
  });

  test('because nobody is there', async () => {
    const other = await createKind({
      versions: [versionOf('v1', 'metres', { storage: true }), versionOf('v2', 'feet')],
      extra: {
        conversion: {
          strategy: 'Webhook',
          webhook: { clientConfig: { url: 'https://127.0.0.1:1/x' }, conversionReviewVersions: ['v1'] },
        },
      },
    });
    const answer = await api.post(other.at(namespace, 'v2'), v2Object(other, 'x', { feet: 1 }));
    expect(said(answer, other)).toEqual(golden('failure because nobody is there'));
  });
});

test('a webhook may be asked in v1beta1', async () => {
  server.on('/old', convertAll);
  const crd = await createKind({
    versions: [versionOf('v1', 'metres', { storage: true }), versionOf('v2', 'feet')],
    extra: { conversion: conversionAt('/old', ['v1beta1', 'v1']) },
  });
  const created = await api.post(crd.at(namespace, 'v2'), v2Object(crd, 'old', { feet: 3 }));
  expect([created.status, created.body.spec]).toEqual([201, { feet: 3 }]);
  expect(server.asked('/old')[0]?.body.apiVersion).toBe('apiextensions.k8s.io/v1beta1');
});
