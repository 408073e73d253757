import { describe, expect, test } from 'vitest';
import {
  crdManifest,
  crdsPath,
  createCrd,
  createNamespace,
  describeCrd,
  eventually,
  served,
  uniqueName,
} from './kit/scratch.ts';
import type { ScratchCrd } from './kit/scratch.ts';
import { masked, withoutVersionHash } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { conditionsOf, version } from './kit/crd-parts.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('crd-lifecycle');

describe('a CRD', () => {
  test('is created with defaults and becomes Established with its names accepted', async () => {
    const crd = describeCrd(`${uniqueName('conf')}.example.com`);
    const manifest = crdManifest(crd.group);
    manifest.spec.names = { plural: 'rivers', kind: 'River' };
    const created = await api.post(crdsPath, manifest);
    expect(created.status).toBe(201);
    expect(masked(created.body, { [crd.group]: '<group>' })).toEqual(golden('created'));
    await served(api, crd);
    const { body } = await api.get(crd.crdPath);
    expect(masked(body.status, { [crd.group]: '<group>' })).toEqual(golden('established status'));
  });

  test('whose kind is taken in its group is not accepted', async () => {
    const first = await createCrd(api);
    const manifest = crdManifest(first.group);
    manifest.metadata.name = `streams.${first.group}`;
    manifest.spec.names = {
      plural: 'streams',
      singular: 'stream',
      kind: 'River',
      listKind: 'StreamList',
      shortNames: ['st'],
    };
    await api.post(crdsPath, manifest);
    const { body } = await eventually(
      () => api.get(`${crdsPath}/streams.${first.group}`),
      (answer) => answer.body.status?.conditions?.length === 2,
    );
    expect(conditionsOf(body)).toEqual(golden('names not accepted'));
    expect((await api.get(`/apis/${first.group}/v1/streams`)).status).toBe(404);
  });

  test('is found in discovery of its group, legacy and aggregated', async () => {
    const crd = await createCrd(api, {
      names: { shortNames: ['rv'], categories: ['all', 'waters'] },
      subresources: {
        status: {},
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
    });
    const names = { [crd.group]: '<group>' };
    const { body: group } = await eventually(
      () => api.get(`/apis/${crd.group}`),
      ({ status }) => status === 200,
    );
    expect(masked(group, names)).toEqual(golden('group'));
    const { body: resources } = await eventually(
      () => api.get(`/apis/${crd.group}/v1`),
      ({ status }) => status === 200,
    );
    expect(masked({ ...resources, resources: resources.resources.map(withoutVersionHash) }, names)).toEqual(
      golden('resources'),
    );
    const groupOf = (body: Loose): Loose => body.items.find((item: Loose) => item.metadata.name === crd.group);
    const { body: aggregated } = await eventually(
      () => api.get('/apis', {}, { accept: 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList' }),
      (answer) => groupOf(answer.body)?.versions[0]?.resources.length > 0,
    );
    expect(masked(groupOf(aggregated), names)).toEqual(golden('aggregated'));
  });

  test('is found in OpenAPI v3', async () => {
    const crd = await createCrd(api, {
      spec: { type: 'object', properties: { depth: { type: 'integer', description: 'How deep.' } } },
    });
    const path = `apis/${crd.group}/v1`;
    const { body: index } = await eventually(
      () => api.get('/openapi/v3'),
      ({ body }) => body.paths[path] !== undefined,
    );
    expect(index.paths[path].serverRelativeURL).toMatch(new RegExp(`^/openapi/v3/${path}\\?hash=[0-9A-F]+$`));
    const { body: document } = await api.get(index.paths[path].serverRelativeURL);
    const [schemaName] = Object.keys(document.components.schemas).filter((key) => key.endsWith('.River'));
    expect(schemaName).toBe(`com.example.${crd.group.split('.')[0]}.v1.River`);
    const schema = document.components.schemas[schemaName ?? ''];
    expect(schema['x-kubernetes-group-version-kind']).toEqual([{ group: crd.group, version: 'v1', kind: 'River' }]);
    expect(schema.properties.spec).toEqual({
      type: 'object',
      properties: { depth: { type: 'integer', description: 'How deep.' } },
    });
    expect(Object.keys(document.paths).toSorted()).toEqual(
      ['', '/{name}']
        .flatMap((tail) => [`/${path}/namespaces/{namespace}/rivers${tail}`])
        .concat(`/${path}/rivers`)
        .toSorted(),
    );
  });
});

describe('several versions with conversion None', () => {
  let crd: ScratchCrd;
  test('serve one object under each version and store one of them', async () => {
    const versions = [
      version('v1', { storage: true }),
      version('v1beta1', { deprecated: true }),
      version('v2', { deprecated: true, deprecationWarning: 'v2 was too early' }),
      version('v1alpha1', { served: false }),
    ];
    crd = await createCrd(api, { versions });
    const namespace = await createNamespace(api);
    const created = await api.post(crd.at(namespace, 'v1beta1'), {
      ...crd.object('one', { spec: { a: 1 } }),
      apiVersion: `${crd.group}/v1beta1`,
    });
    expect(created.status).toBe(201);
    expect(created.body.apiVersion).toBe(`${crd.group}/v1beta1`);
    expect(created.headers['warning']).toBe(
      `299 - "${crd.group}/v1beta1 River is deprecated; use ${crd.group}/v1 River"`,
    );
    const read = await api.get(`${crd.at(namespace, 'v2')}/one`);
    expect(read.body).toMatchObject({
      apiVersion: `${crd.group}/v2`,
      spec: { a: 1 },
      metadata: { uid: created.body.metadata.uid },
    });
    expect(read.headers['warning']).toBe('299 - "v2 was too early"');
    const list = await api.get(crd.at(namespace));
    expect(list.body.apiVersion).toBe(`${crd.group}/v1`);
    expect(list.body.items[0].apiVersion).toBe(`${crd.group}/v1`);
    expect(list.headers['warning']).toBeUndefined();
  });

  test('answer 404 for a version that is not served', async () => {
    const { status, text } = await api.get(crd.at('default', 'v1alpha1'));
    expect(status).toBe(404);
    expect(text).toBe('404 page not found\n');
  });

  test('refuse a body of another version than the path', async () => {
    const { status, body } = await api.post(crd.at('default', 'v2'), crd.object('one'));
    expect(status).toBe(400);
    expect(body.message.replaceAll(crd.group, '<group>')).toBe(
      'the API version in the data (<group>/v1) does not match the expected API version (<group>/v2)',
    );
  });

  test('are discovered in order of their stability', async () => {
    const { body } = await eventually(
      () => api.get(`/apis/${crd.group}`),
      ({ status }) => status === 200,
    );
    expect(body.versions.map((each: Loose) => each.version)).toEqual(['v2', 'v1', 'v1beta1']);
    expect(body.preferredVersion.version).toBe('v2');
  });

  test('remember in which versions objects were stored', async () => {
    const { body: before } = await api.get(crd.crdPath);
    expect(before.status.storedVersions).toEqual(['v1']);
    const versions = before.spec.versions.map((each: Loose) => ({ ...each, storage: each.name === 'v2' }));
    await api.patch(crd.crdPath, 'merge', { spec: { versions } });
    const { body: after } = await api.get(crd.crdPath);
    expect(after.status.storedVersions).toEqual(['v1', 'v2']);
    const dropped = await api.patch(crd.crdPath, 'merge', {
      spec: { versions: versions.filter((each: Loose) => each.name !== 'v1') },
    });
    expect(dropped.status).toBe(422);
    expect(dropped.body.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'status.storedVersions[0]',
        message: expect.stringMatching(
          /^Invalid value: "v1": missing from spec.versions; v1 was previously a storage version/,
        ),
      },
    ]);
  });
});
