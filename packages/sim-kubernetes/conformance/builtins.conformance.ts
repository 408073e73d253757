import { beforeAll, describe, expect, test } from 'vitest';
import { createNamespace, uniqueName } from './kit/scratch.ts';
import { masked, maskedAnswer } from './kit/mask.ts';
import { useGolden } from './kit/golden.ts';
import { useServer } from './kit/server.ts';
import type { Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('builtins');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});
const at = (resource: string): string => `/api/v1/namespaces/${namespace}/${resource}`;

describe('a Secret', () => {
  test('takes stringData into data and keeps it out of answers', async () => {
    const { body } = await api.post(at('secrets'), {
      metadata: { name: 'strings' },
      data: { a: 'MQ==', b: 'Mg==' },
      stringData: { b: 'zwei', c: 'drei' },
    });
    expect(body.data).toEqual({ a: 'MQ==', b: 'endlaQ==', c: 'ZHJlaQ==' });
    expect(body).not.toHaveProperty('stringData');
    expect(body.type).toBe('Opaque');
    const patched = await api.patch(`${at('secrets')}/strings`, 'merge', { stringData: { a: 'eins' } });
    expect(patched.body.data).toEqual({ a: 'ZWlucw==', b: 'endlaQ==', c: 'ZHJlaQ==' });
  });

  const broken: readonly (readonly [string, Loose])[] = [
    ['data that is no base64', { data: { a: '***' } }],
    ['a bad key', { data: { 'a b': '' } }],
    ['a tls type without its keys', { type: 'kubernetes.io/tls' }],
    [
      'a dockerconfigjson that is no JSON',
      { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } },
    ],
    ['basic-auth without keys', { type: 'kubernetes.io/basic-auth' }],
    ['ssh-auth without its key', { type: 'kubernetes.io/ssh-auth' }],
    ['more than 1 MiB', { stringData: { a: 'x'.repeat(1_048_577) } }],
    ['a service account token without account', { type: 'kubernetes.io/service-account-token' }],
  ];
  test.each(broken)('with %s is refused', async (name, more) => {
    const answer = await api.post(at('secrets'), { metadata: { name: 'bad' }, ...more }, { dryRun: 'All' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(maskedAnswer(answer)).toEqual(golden(`secret with ${name}`));
  });

  test('cannot change its type', async () => {
    await api.post(at('secrets'), { metadata: { name: 'typed' }, type: 'example.com/a' });
    expect(maskedAnswer(await api.patch(`${at('secrets')}/typed`, 'merge', { type: 'example.com/b' }))).toEqual(
      golden('type of a secret'),
    );
  });
});

describe.each(['secrets', 'configmaps'])('immutable %s', (resource) => {
  test('keep their data and stay immutable, and can change metadata and be deleted', async () => {
    const name = uniqueName('fixed');
    const path = `${at(resource)}/${name}`;
    const value = resource === 'secrets' ? 'MQ==' : '1';
    await api.post(at(resource), { metadata: { name }, data: { a: value }, immutable: true });
    const data = await api.patch(path, 'merge', { data: { a: resource === 'secrets' ? 'Mg==' : '2' } });
    const thaw = await api.patch(path, 'merge', { immutable: false });
    expect(maskedAnswer(data, { [name]: '<name>' })).toEqual(golden(`data of immutable ${resource}`));
    expect(maskedAnswer(thaw, { [name]: '<name>' })).toEqual(golden(`immutable ${resource} made mutable`));
    expect((await api.patch(path, 'merge', { metadata: { labels: { a: 'b' } } })).status).toBe(200);
    expect((await api.del(path)).status).toBe(200);
  });
});

describe('a ConfigMap', () => {
  const broken: readonly (readonly [string, Loose])[] = [
    ['a bad key', { data: { 'a b': '1' } }],
    ['a key in data and binaryData', { data: { a: '1' }, binaryData: { a: 'MQ==' } }],
    ['binaryData that is no base64', { binaryData: { a: '***' } }],
    ['a key of 254 characters', { data: { ['x'.repeat(254)]: '1' } }],
    ['a key of two dots', { data: { '..': '1' } }],
  ];
  test.each(broken)('with %s is refused', async (name, more) => {
    const answer = await api.post(at('configmaps'), { metadata: { name: 'bad' }, ...more }, { dryRun: 'All' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(maskedAnswer(answer)).toEqual(golden(`configmap with ${name}`));
  });
});

describe('a Service', () => {
  const addresses = (value: Loose): Loose =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/"10\.96\.\d+\.\d+"/g, '"<clusterIP>"')
        .replaceAll(/"nodePort":\d+/g, '"nodePort":"<port>"')
        .replaceAll(/"healthCheckNodePort":\d+/g, '"healthCheckNodePort":"<port>"'),
    );

  const specs: readonly (readonly [string, Loose])[] = [
    ['a port', { ports: [{ port: 80 }] }],
    [
      'a named target port',
      {
        ports: [
          { name: 'a', port: 80, targetPort: 'http' },
          { name: 'b', port: 81, protocol: 'UDP' },
        ],
        selector: { a: 'b' },
      },
    ],
    ['no cluster IP', { clusterIP: 'None', selector: { a: 'b' } }],
    ['an external name', { type: 'ExternalName', externalName: 'example.com' }],
    ['node ports', { type: 'NodePort', ports: [{ port: 80 }] }],
    ['a load balancer', { type: 'LoadBalancer', ports: [{ port: 80 }] }],
    ['a local load balancer', { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [{ port: 80 }] }],
    ['session affinity', { sessionAffinity: 'ClientIP', ports: [{ port: 80 }] }],
  ];
  test.each(specs)('with %s gets its defaults', async (name, spec) => {
    const service = uniqueName('svc');
    const answer = await api.post(at('services'), { metadata: { name: service }, spec });
    expect(addresses(maskedAnswer(answer, { [service]: '<name>', [namespace]: '<namespace>' }))).toEqual(
      golden(`service with ${name}`),
    );
    await api.del(`${at('services')}/${service}`);
  });

  test('keeps its address, which cannot change', async () => {
    const { body } = await api.post(at('services'), { metadata: { name: 'fixed' }, spec: { ports: [{ port: 80 }] } });
    const address = body.spec.clusterIP;
    const put = await api.put(`${at('services')}/fixed`, {
      metadata: { name: 'fixed', resourceVersion: body.metadata.resourceVersion },
      spec: { ports: [{ port: 81 }] },
    });
    expect(put.body.spec.clusterIP).toBe(address);
    const changed = await api.patch(`${at('services')}/fixed`, 'merge', {
      spec: { clusterIP: '10.96.7.7', clusterIPs: ['10.96.7.7'] },
    });
    expect(changed.status).toBe(422);
    expect(changed.body.details.causes).toEqual([
      {
        reason: 'FieldValueInvalid',
        field: 'spec.clusterIPs[0]',
        message: 'Invalid value: ["10.96.7.7"]: may not change once set',
      },
    ]);
  });

  test('can ask for an address, which no other gets', async () => {
    const clusterIP = `10.96.200.${10 + Math.floor(Math.random() * 200)}`;
    const [first, second] = [uniqueName('svc'), uniqueName('svc')];
    expect(
      (await api.post(at('services'), { metadata: { name: first }, spec: { clusterIP, ports: [{ port: 80 }] } })).body
        .spec.clusterIP,
    ).toBe(clusterIP);
    const taken = await api.post(at('services'), {
      metadata: { name: second },
      spec: { clusterIP, ports: [{ port: 80 }] },
    });
    expect(maskedAnswer(taken, { [second]: '<name>', [clusterIP]: '<clusterIP>' })).toEqual(golden('address taken'));
    await api.del(`${at('services')}/${first}`);
  });

  const broken: readonly (readonly [string, Loose])[] = [
    ['no ports', {}],
    ['two ports without names', { ports: [{ port: 80 }, { port: 81 }] }],
    ['an unknown type', { type: 'Magic', ports: [{ port: 80 }] }],
    ['a port of 0', { ports: [{ port: 0 }] }],
    ['an address outside the range', { clusterIP: '192.168.1.1', ports: [{ port: 80 }] }],
    ['an address that is none', { clusterIP: 'nothing', ports: [{ port: 80 }] }],
    ['an external name that is none', { type: 'ExternalName', externalName: 'a b' }],
  ];
  test.each(broken)('with %s is refused', async (name, spec) => {
    const answer = await api.post(at('services'), { metadata: { name: 'bad' }, spec }, { dryRun: 'All' });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(maskedAnswer(answer)).toEqual(golden(`service refused: ${name}`));
  });
});

describe('storage', () => {
  test('volumes and claims carry a finalizer that protects them in use', async () => {
    const volume = {
      metadata: { name: uniqueName('pv') },
      spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } },
    };
    const pv = await api.post('/api/v1/persistentvolumes', volume, { dryRun: 'All' });
    expect(masked(pv.body, { [volume.metadata.name]: '<name>' })).toEqual(golden('persistent volume'));
    const claim = {
      metadata: { name: 'claim' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1024Mi' } } },
    };
    const pvc = await api.post(at('persistentvolumeclaims'), claim, { dryRun: 'All' });
    expect(masked(pvc.body, { [namespace]: '<namespace>' })).toEqual(golden('claim'));
  });
});
