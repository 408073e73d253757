import { describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { createCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import { allow } from './kit/webhook-server.ts';
import { configMap, dry, ruleOf, useWebhooks } from './kit/webhooks.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('webhooks-questions');
const { configMaps, hook, namespace, questions, said, server, withHooks } = useWebhooks(api);

describe('a question', () => {
  test.each(['mutating', 'validating'] as const)('to %s webhooks for each verb', async (kind) => {
    const path = `/verbs-${kind}`;
    const name = `verbs-${kind}`;
    server().on(path, allow);
    await withHooks(kind, [hook(path)], async () => {
      const place = `${configMaps()}/${name}`;
      // A write that starts from a copy which is behind asks twice: the copy is to be up to date before the next one.
      const caughtUp = async ({ body }: Answer): Promise<Answer> =>
        api.get(place, { resourceVersion: body.metadata.resourceVersion });
      await caughtUp(await api.post(configMaps(), configMap(name), { fieldManager: 'me', fieldValidation: 'Strict' }));
      await caughtUp(await api.put(place, configMap(name, { data: { a: '2' } })));
      await caughtUp(await api.patch(place, 'merge', { data: { a: '3' } }, { fieldManager: 'you' }));
      await api.patch(place, 'merge', { data: { a: '4' } }, dry);
      await api.del(place, { gracePeriodSeconds: 0, propagationPolicy: 'Background' });
      await api.post(configMaps(), configMap('', { metadata: { generateName: 'drawn-' } }), dry);
    });
    // What a drawn name is differs from run to run.
    expect(JSON.parse(JSON.stringify(questions(path)).replaceAll(/drawn-[a-z0-9]{5}/g, 'drawn-<random>'))).toEqual(
      golden(`questions ${kind}`),
    );
    expect(server().asked(path)[0]?.headers['content-type']).toBe('application/json');
    expect(server().asked(path)[0]?.headers['user-agent']).toBe('kube-apiserver-admission');
    expect(server().asked(path)[0]?.headers['url']).toBe(`${path}?timeout=10s`);
  });

  test('about a collection comes for each object, without its name', async () => {
    server().on('/collection', allow);
    server().on('/collection-once', allow);
    for (const name of ['one', 'two']) {
      await api.post(configMaps(), configMap(name, { metadata: { labels: { batch: 'yes' } } }));
    }
    await withHooks('validating', [hook('/collection')], () =>
      withHooks('mutating', [hook('/collection-once')], () =>
        api.del(configMaps(), undefined, { labelSelector: 'batch=yes' }),
      ),
    );
    const nameOf = (each: Loose): string => each.request.oldObject.metadata.name;
    expect(questions('/collection').toSorted((a: Loose, b: Loose) => (nameOf(a) < nameOf(b) ? -1 : 1))).toEqual(
      golden('questions about a collection'),
    );
    expect(questions('/collection-once')).toHaveLength(2);
  });

  test('about subresources is asked only by rules that name them', async () => {
    const crd = await createCrd(api, {
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    });
    const paths = ['/sub-object', '/sub-status', '/sub-scale', '/sub-all', '/sub-any-scale'];
    const resources = [['rivers'], ['rivers/status'], ['rivers/scale'], ['rivers/*'], ['*/scale']];
    paths.forEach((path) => server().on(path, allow));
    const hooks = paths.map((path, index) =>
      hook(path, { rules: [ruleOf({ apiGroups: [crd.group], resources: resources[index] })] }),
    );
    await withHooks('validating', hooks, async () => {
      await api.post(crd.at(namespace()), crd.object('sub', { spec: { replicas: 1 } }));
      await api.patch(`${crd.at(namespace())}/sub/status`, 'merge', { status: { replicas: 1 } });
      await api.patch(`${crd.at(namespace())}/sub/scale`, 'merge', { spec: { replicas: 2 } });
    });
    // A patch that kube-apiserver tried on a copy from before the last write is tried again, and asked about again.
    const seen = paths.map((path) => [
      path,
      [
        ...new Set(
          server()
            .asked(path)
            .map(({ body }) => `${body.request.operation} ${body.request.subResource ?? ''}`),
        ),
      ],
    ]);
    expect(seen).toEqual([
      ['/sub-object', ['CREATE ']],
      ['/sub-status', ['UPDATE status']],
      ['/sub-scale', ['UPDATE scale']],
      ['/sub-all', ['CREATE ', 'UPDATE status', 'UPDATE scale']],
      ['/sub-any-scale', ['UPDATE scale']],
    ]);
    expect(questions('/sub-scale', { [crd.group]: '<group>' }).slice(-1)).toEqual(golden('question about scale'));
  });

  test('about another version of the kind is put in the version of the rule', async () => {
    const version = (name: string, storage: boolean): Loose => ({
      name,
      served: true,
      storage,
      schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
    });
    const crd = await createCrd(api, { versions: [version('v1', true), version('v2', false)] });
    server().on('/equivalent', allow);
    server().on('/exact', allow);
    const rules = [ruleOf({ apiGroups: [crd.group], resources: ['rivers'] })];
    const hooks = [hook('/equivalent', { rules }), hook('/exact', { rules, matchPolicy: 'Exact' })];
    await withHooks('mutating', hooks, async () => {
      const object = { ...crd.object('two', { spec: { a: 1 } }), apiVersion: `${crd.group}/v2` };
      const created = await api.post(crd.at(namespace(), 'v2'), object);
      expect(created.body.apiVersion).toBe(`${crd.group}/v2`);
    });
    expect(questions('/equivalent', { [crd.group]: '<group>' })).toEqual(golden('question in another version'));
    expect(questions('/exact')).toEqual([]);
  });
});

describe('whether a webhook is asked', () => {
  const cases: Readonly<Record<string, { readonly more: () => Loose; readonly names: readonly string[] }>> = {
    'is decided by the labels of the object': {
      more: () => ({ objectSelector: { matchLabels: { mine: 'yes' } } }),
      names: ['labelled'],
    },
    'is decided by the labels of the namespace': {
      more: () => ({ namespaceSelector: { matchExpressions: [{ key: 'other', operator: 'Exists' }] } }),
      names: [],
    },
    'is decided by the operation': {
      more: () => ({ rules: [ruleOf({ operations: ['DELETE'] })] }),
      names: [],
    },
    'is decided by the scope': {
      more: () => ({ rules: [ruleOf({ scope: 'Cluster' })] }),
      names: [],
    },
    'is decided by conditions': {
      more: () => ({
        matchConditions: [
          { name: 'not-system', expression: '!request.userInfo.groups.exists(g, g == "system:nodes")' },
          { name: 'labelled', expression: 'has(object.metadata.labels) && object.metadata.labels.mine == "yes"' },
        ],
      }),
      names: ['labelled'],
    },
    'is decided by conditions about the request': {
      more: () => ({
        matchConditions: [
          {
            name: 'request',
            expression:
              'request.operation == "CREATE" && request.name == "plain" && request.kind.kind == "ConfigMap" && oldObject == null',
          },
        ],
      }),
      names: ['plain'],
    },
    'is not when a condition fails and the policy is Ignore': {
      more: () => ({
        failurePolicy: 'Ignore',
        matchConditions: [{ name: 'fails', expression: 'object.nothing.here == 1' }],
      }),
      names: [],
    },
  };
  test.each(Object.entries(cases))('%s', async (title, { more, names }) => {
    const path = `/choice-${title.replaceAll(' ', '-').toLowerCase()}`;
    server().on(path, allow);
    await withHooks('validating', [hook(path, { name: 'choice.example.com', ...more() })], async () => {
      for (const [name, labels] of [
        ['plain', {}],
        ['labelled', { mine: 'yes' }],
      ] as const) {
        const answer = await api.post(configMaps(), configMap(name, { metadata: { labels } }), dry);
        expect(answer.status).toBe(201);
      }
    });
    expect(
      server()
        .asked(path)
        .map(({ body }) => body.request.name),
    ).toEqual(names);
  });

  test('is decided by a failing condition with the policy Fail: the request is refused', async () => {
    const matchConditions = [{ name: 'fails', expression: 'object.nothing.here == 1' }];
    const answer = await withHooks('validating', [hook('/fails', { matchConditions })], () =>
      api.post(configMaps(), configMap('condition'), dry),
    );
    expect(said(answer)).toEqual(golden('failing condition'));
  });
});
