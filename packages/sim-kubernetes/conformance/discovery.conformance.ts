import { describe, expect, test } from 'vitest';
import { omittedResources } from './differences.ts';
import { withoutVersionHash } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { eventually } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('discovery');
const aggregated = (version: string): string =>
  `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList`;

/** The groups that the embedded server serves; the real one serves more. */
const groups: Readonly<Record<string, string>> = {
  'apiregistration.k8s.io': 'v1',
  apps: 'v1',
  autoscaling: 'v2',
  'node.k8s.io': 'v1',
  batch: 'v1',
  'networking.k8s.io': 'v1',
  'coordination.k8s.io': 'v1',
  'discovery.k8s.io': 'v1',
  'events.k8s.io': 'v1',
  'rbac.authorization.k8s.io': 'v1',
  'storage.k8s.io': 'v1',
  'scheduling.k8s.io': 'v1',
  policy: 'v1',
  'apiextensions.k8s.io': 'v1',
  'resource.k8s.io': 'v1',
};

const sorted = (items: readonly Loose[], key: string): Loose[] => items.toSorted((a, b) => (a[key] < b[key] ? -1 : 1));
const withoutHash = (resources: readonly Loose[]): Loose[] => sorted(resources.map(withoutVersionHash), 'name');

const inOrder = (resources: readonly Loose[]): Loose[] =>
  sorted(resources, 'resource')
    .filter(({ resource }) => !omittedResources.includes(resource))
    .map((each) => (each.subresources ? { ...each, subresources: sorted(each.subresources, 'subresource') } : each));

describe('the roots', () => {
  test('/api names the core version', async () => {
    const { status, body } = await api.get('/api');
    expect(status).toBe(200);
    expect(body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    expect(body.serverAddressByClientCIDRs).toHaveLength(1);
  });

  test('/apis names the groups with their versions', async () => {
    const { body } = await api.get('/apis');
    expect(body).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
    const named = Object.fromEntries(body.groups.map((group: Loose) => [group.name, group.preferredVersion.version]));
    expect(named).toMatchObject(groups);
  });

  test.each(Object.keys(groups))('/apis/%s is the group alone', async (group) => {
    const { body } = await api.get(`/apis/${group}`);
    expect(body).toMatchObject({ kind: 'APIGroup', apiVersion: 'v1', name: group });
    expect(body.preferredVersion).toEqual({ groupVersion: `${group}/${groups[group]}`, version: groups[group] });
  });
});

describe('the resources', () => {
  const served = (resources: readonly Loose[]): Loose[] =>
    withoutHash(resources).filter(({ name }) => !omittedResources.includes(name.split('/')[0]));
  test('of core', async () => {
    const { body } = await api.get('/api/v1');
    expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
    expect(served(body.resources)).toEqual(golden('core'));
  });
  test.each(Object.entries(groups))('of %s/%s', async (group, version) => {
    const { body } = await api.get(`/apis/${group}/${version}`);
    expect(body).toMatchObject({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/${version}` });
    expect(served(body.resources)).toEqual(golden(group));
  });
});

describe('aggregated discovery', () => {
  test('of core', async () => {
    const { headers, body } = await api.get('/api', {}, { accept: aggregated('v2') });
    expect(headers['content-type']).toBe(aggregated('v2'));
    expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
    const [core] = body.items;
    expect(core.versions.map((each: Loose) => each.version)).toEqual(['v1']);
    expect(inOrder(core.versions[0].resources)).toEqual(golden('aggregated core'));
  });

  test('of the groups', async () => {
    const { body } = await api.get('/apis', {}, { accept: aggregated('v2') });
    for (const [group, served] of Object.entries(groups)) {
      const item = body.items.find((each: Loose) => each.metadata.name === group);
      const found = item?.versions.find((each: Loose) => each.version === served);
      expect(found).toMatchObject({ version: served, freshness: 'Current' });
      expect(inOrder(found.resources)).toEqual(golden(`aggregated ${group}`));
    }
  });

  test('prefers the first form of the Accept header that it knows, as kubectl asks', async () => {
    const accept = `${aggregated('v2')},${aggregated('v2beta1')},application/json`;
    expect((await api.get('/apis', {}, { accept })).headers['content-type']).toBe(aggregated('v2'));
    expect((await api.get('/apis', {}, { accept: 'application/json' })).body.kind).toBe('APIGroupList');
  });

  test('in the form v2beta1, which is no longer served, falls back to the legacy form', async () => {
    const { headers, body } = await api.get('/apis', {}, { accept: `${aggregated('v2beta1')},application/json` });
    expect(headers['content-type']).toBe('application/json');
    expect(body.kind).toBe('APIGroupList');
  });

  test('answers 304 to the ETag that it gave', async () => {
    const ask = async (headers: Readonly<Record<string, string>> = {}): Promise<Answer> =>
      api.get('/apis', {}, { accept: aggregated('v2'), ...headers });
    const askTwice = async (): Promise<Answer> => {
      const { headers } = await ask();
      expect(headers['etag']).toMatch(/^"[0-9A-F]+"$/);
      return ask({ 'if-none-match': headers['etag'] ?? '' });
    };
    // Other tests bring kinds and take them away; between two of those the tag holds.
    const again = await eventually(askTwice, ({ status }) => status === 304);
    expect(again.text).toBe('');
  });
});

describe('the state of the server', () => {
  test('/version is that of Kubernetes 1.36', async () => {
    const { status, body } = await api.get('/version');
    expect(status).toBe(200);
    expect(body).toMatchObject({ major: '1', minor: '36', gitVersion: expect.stringMatching(/^v1\.36\./) });
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining(['gitCommit', 'gitTreeState', 'buildDate', 'goVersion', 'compiler', 'platform']),
    );
  });

  test.each(['/healthz', '/livez', '/readyz', '/livez/ping', '/healthz/ping', '/readyz/ping'])(
    '%s is ok',
    async (path) => {
      const { status, text, headers } = await api.get(path);
      expect({ status, text, type: headers['content-type'] }).toEqual({
        status: 200,
        text: 'ok',
        type: 'text/plain; charset=utf-8',
      });
    },
  );

  test('?verbose lists the checks', async () => {
    const { text } = await api.get('/livez', { verbose: '' });
    expect(text).toMatch(/^\[\+\]ping ok\n/);
    expect(text).toMatch(/livez check passed\n$/);
  });

  test('every answer has an Audit-Id and is not to be cached', async () => {
    const { headers } = await api.get('/api/v1/namespaces/default');
    expect(headers['audit-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(headers['cache-control']).toBe('no-cache, private');
    expect(headers['content-type']).toBe('application/json');
  });
});

describe('OpenAPI v3', () => {
  test('has an index of documents with hashes', async () => {
    const { status, body } = await api.get('/openapi/v3');
    expect(status).toBe(200);
    for (const path of [
      'api',
      'apis',
      'api/v1',
      'version',
      ...Object.entries(groups).map(([group, version]) => `apis/${group}/${version}`),
    ]) {
      expect(`${path} ${body.paths[path]?.serverRelativeURL}`).toMatch(/^\S+ \/openapi\/v3\/.*\?hash=[0-9A-F]{128}$/);
    }
  });

  test.each(['api/v1', ...Object.entries(groups).map(([group, version]) => `apis/${group}/${version}`)])(
    'the document of %s has the same fields and types',
    async (path) => {
      const { status, body } = await api.get(`/openapi/v3/${path}`);
      expect(status).toBe(200);
      expect(body.openapi).toBe('3.0.0');
      const shape = shapeOf(body);
      expect(fingerprint(shape)).toEqual(golden(`openapi ${path}`));
    },
  );

  test('answers a hash that is current with an immutable document', async () => {
    const { body } = await api.get('/openapi/v3');
    const { headers, status } = await api.get(body.paths['apis/apps/v1'].serverRelativeURL);
    expect(status).toBe(200);
    expect(headers['cache-control']).toContain('immutable');
  });

  test('answers 404 for a group that is not there', async () => {
    expect((await api.get('/openapi/v3/apis/nothing.example.com/v1')).status).toBe(404);
  });
});

/** Type, format and reference of every property of every schema: what `kubectl explain` and clients go by. */
function shapeOf(document: Loose): Readonly<Record<string, string>> {
  const shape: Record<string, string> = {};
  const name = (node: Loose): string =>
    node.$ref?.replace('#/components/schemas/', '') ??
    (node.allOf ? name(node.allOf[0]) : [node.type, node.format].filter(Boolean).join('/'));
  for (const [schema, node] of Object.entries<Loose>(document.components.schemas)) {
    for (const [property, child] of Object.entries<Loose>(node.properties ?? {})) {
      const inner = child.items ?? child.additionalProperties;
      shape[`${schema}.${property}`] =
        `${name(child)}${inner ? ` of ${name(inner)}` : ''}${node.required?.includes(property) ? ' required' : ''}`;
    }
  }
  return shape;
}

/** One line per schema keeps the golden file readable. */
function fingerprint(shape: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const schemas: Record<string, string[]> = {};
  for (const [key, value] of Object.entries(shape)) {
    const cut = key.lastIndexOf('.');
    (schemas[key.slice(0, cut)] ??= []).push(`${key.slice(cut + 1)}: ${value}`);
  }
  return Object.fromEntries(Object.entries(schemas).map(([schema, lines]) => [schema, lines.toSorted().join('; ')]));
}
