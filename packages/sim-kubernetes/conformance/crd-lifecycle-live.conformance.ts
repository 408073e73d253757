import { beforeAll, describe, expect, test } from 'vitest';
import { version } from './kit/crd-parts.ts';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { createCrd, createNamespace, eventually } from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('crd-lifecycle-live');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

/** Changes a CRD in place, again when its status was written in between. */
async function change(crd: ScratchCrd, edit: (spec: Loose) => void): Promise<Answer> {
  return eventually(
    async () => {
      const { body } = await api.get(crd.crdPath);
      edit(body.spec);
      return api.put(crd.crdPath, body);
    },
    ({ status }) => status !== 409,
  );
}

const schemaOf = (spec: Loose): Loose => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
});

describe('a schema that becomes stricter', () => {
  let crd: ScratchCrd;
  const path = (): string => `${crd.at(namespace)}/old`;
  beforeAll(async () => {
    const spec = {
      type: 'object',
      properties: {
        depth: { type: 'integer' },
        name: { type: 'string' },
        list: { type: 'array', items: { type: 'object', properties: { n: { type: 'integer' } } } },
      },
    };
    crd = await createCrd(api, { spec, subresources: { status: {} } });
    await api.post(crd.at(namespace), crd.object('old', { spec: { depth: 9, name: 'long name', list: [{ n: 9 }] } }));
    await change(crd, ({ versions }) => {
      const { properties } = versions[0].schema.openAPIV3Schema.properties.spec;
      properties.depth.maximum = 3;
      properties.name.maxLength = 4;
      properties.list.items.properties.n.maximum = 3;
      properties.added = { type: 'string' };
      versions[0].schema.openAPIV3Schema.properties.spec['x-kubernetes-validations'] = [
        { rule: '!has(self.depth) || self.depth < 5', message: 'too deep' },
      ];
      versions[0].schema.openAPIV3Schema.properties.spec.required = ['added'];
    });
    await eventually(
      () => api.post(crd.at(namespace), crd.object('new', { spec: { depth: 9 } }), { dryRun: 'All' }),
      ({ status }) => status === 422,
    );
  });
  const said = (answer: Answer): Loose => maskedAnswer(answer, { [crd.group]: '<group>', [namespace]: '<namespace>' });

  test('holds for new objects at once', async () => {
    const answer = await api.post(crd.at(namespace), crd.object('new', { spec: { depth: 9, name: 'long name' } }));
    expect(said(answer)).toEqual(golden('new object'));
  });

  test('lets what has not changed pass', async () => {
    const labelled = await api.patch(path(), 'merge', { metadata: { labels: { a: 'b' } } });
    expect(said(labelled)).toEqual(golden('labelled'));
    const added = await api.patch(path(), 'merge', { spec: { added: 'yes' } });
    expect(said(added)).toEqual(golden('added'));
  });

  test('holds for what changes', async () => {
    const deeper = await api.patch(path(), 'merge', { spec: { added: 'yes', depth: 10 } });
    expect(said(deeper)).toEqual(golden('deeper'));
    const list = await api.patch(path(), 'merge', { spec: { added: 'yes', list: [{ n: 9 }, { n: 1 }] } });
    expect(said(list)).toEqual(golden('longer list'));
    const fixed = await api.patch(path(), 'merge', { spec: { added: 'yes', depth: 1, name: 'ok', list: [{ n: 1 }] } });
    expect(fixed.status).toBe(200);
  });
});

describe('watches of a custom resource', () => {
  const endOf = async (crd: ScratchCrd, at: string, edit: (spec: Loose) => void): Promise<Loose> => {
    await api.post(crd.at(namespace), crd.object('one'));
    const { body } = await api.get(at);
    const watch = await api.watch(at, { resourceVersion: body.metadata.resourceVersion, allowWatchBookmarks: true });
    await change(crd, edit);
    const events = await watch.rest();
    return events.filter(({ type }) => type !== 'BOOKMARK');
  };

  test('end when its schema changes', async () => {
    const crd = await createCrd(api);
    const events = await endOf(crd, crd.at(namespace), ({ versions }) => {
      versions[0].schema.openAPIV3Schema.properties.added = { type: 'string' };
    });
    expect(events).toEqual([]);
  });

  test('end when another version is added', async () => {
    const crd = await createCrd(api, { versions: [version('v1', { storage: true })] });
    const events = await endOf(crd, crd.at(namespace), ({ versions }) => void versions.push(version('v2')));
    expect(events).toEqual([]);
  });

  test('end when its names change', async () => {
    const crd = await createCrd(api);
    const events = await endOf(crd, crd.at(namespace), ({ names }) => {
      names.shortNames = ['rv'];
    });
    expect(events).toEqual([]);
  });

  test('go on while it is being deleted, and end with it', async () => {
    const crd = await createCrd(api);
    await api.post(crd.at(namespace), crd.object('one', { metadata: { finalizers: ['example.com/hold'] } }));
    const { body } = await api.get(crd.at(namespace));
    const watch = await api.watch(crd.at(namespace), { resourceVersion: body.metadata.resourceVersion });
    await api.del(crd.crdPath);
    const marked = await watch.next();
    expect([marked.type, marked.object.metadata.deletionTimestamp !== undefined]).toEqual(['MODIFIED', true]);
    await api.patch(`${crd.at(namespace)}/one`, 'merge', { metadata: { finalizers: null } });
    expect((await watch.next()).type).toBe('DELETED');
    expect(await watch.rest()).toEqual([]);
  });

  test('do not mind when its metadata changes', async () => {
    const crd = await createCrd(api);
    const { body } = await api.get(crd.at(namespace));
    const watch = await api.watch(crd.at(namespace), { resourceVersion: body.metadata.resourceVersion });
    await api.patch(crd.crdPath, 'merge', { metadata: { labels: { a: 'b' } } });
    await api.post(crd.at(namespace), crd.object('after'));
    expect((await watch.next()).object.metadata.name).toBe('after');
    watch.close();
  });
});

describe('versions', () => {
  test('that are no longer served answer 404 and leave discovery', async () => {
    const crd = await createCrd(api, { versions: [version('v1', { storage: true }), version('v2')] });
    await eventually(
      () => api.get(`/apis/${crd.group}`),
      ({ body }) => body?.versions?.length === 2,
    );
    await change(crd, ({ versions }) => {
      versions[1].served = false;
    });
    const gone = await eventually(
      () => api.get(crd.at(namespace, 'v2')),
      ({ status }) => status === 404,
    );
    expect(gone.text).toBe('404 page not found\n');
    await eventually(
      () => api.get(`/apis/${crd.group}`),
      ({ body }) => body?.versions?.length === 1,
    );
  });

  test('may be removed when nothing was stored in them', async () => {
    const crd = await createCrd(api, { versions: [version('v1', { storage: true }), version('v2')] });
    const removed = await change(crd, (spec) => {
      spec.versions = spec.versions.slice(0, 1);
    });
    expect(removed.status).toBe(200);
    await eventually(
      () => api.get(crd.at(namespace, 'v2')),
      ({ status }) => status === 404,
    );
    await eventually(
      () => api.get(crd.at(namespace)),
      ({ status }) => status === 200,
    );
  });

  test('that were stored in may be removed once status says that nothing is left', async () => {
    const crd = await createCrd(api, { versions: [version('v1', { storage: true }), version('v2')] });
    await change(crd, ({ versions }) => {
      versions[0].storage = false;
      versions[1].storage = true;
    });
    const status = await api.patch(`${crd.crdPath}/status`, 'merge', { status: { storedVersions: ['v2'] } });
    expect(status.body.status.storedVersions).toEqual(['v2']);
    const removed = await change(crd, (spec) => {
      spec.versions = spec.versions.slice(1);
    });
    expect(removed.status).toBe(200);
  });

  test('keep a status that names the storage version', async () => {
    const crd = await createCrd(api);
    const answer = await api.patch(`${crd.crdPath}/status`, 'merge', { status: { storedVersions: [] } });
    expect(maskedAnswer(answer, { [crd.group]: '<group>' })).toEqual(golden('no stored versions'));
  });
});

describe('names', () => {
  test('but kind and plural may change, and discovery follows', async () => {
    const crd = await createCrd(api);
    await change(crd, ({ names }) => {
      Object.assign(names, { singular: 'stream', shortNames: ['rv'], categories: ['waters'], listKind: 'RiverSet' });
    });
    const { body } = await eventually(
      () => api.get(`/apis/${crd.group}/v1`),
      (answer) => answer.body?.resources?.[0]?.singularName === 'stream',
    );
    expect(body.resources[0]).toMatchObject({ name: 'rivers', shortNames: ['rv'], categories: ['waters'] });
    const list = await eventually(
      () => api.get(crd.at(namespace)),
      (answer) => answer.body?.kind === 'RiverSet',
    );
    expect(list.status).toBe(200);
  });

  test('that are fixed are refused', async () => {
    const crd = await createCrd(api, { spec: schemaOf({}).openAPIV3Schema });
    const answers: Loose[] = [];
    for (const edit of [
      (spec: Loose) => void (spec.names.kind = 'Stream'),
      (spec: Loose) => void (spec.names.plural = 'streams'),
      (spec: Loose) => void (spec.scope = 'Cluster'),
      (spec: Loose) => void (spec.group = 'other.example.com'),
    ]) {
      answers.push(maskedAnswer(await change(crd, edit), { [crd.group]: '<group>' }));
    }
    expect(answers).toEqual(golden('fixed names'));
  });
});
