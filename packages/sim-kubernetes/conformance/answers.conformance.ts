import { beforeAll, describe, expect, test } from 'vitest';
import { useGolden } from './kit/golden.ts';
import { maskedAnswer } from './kit/mask.ts';
import { pod } from './kit/new-pod.ts';
import { createNamespace, uniqueName } from './kit/scratch.ts';
import { useServer } from './kit/server.ts';
import type { Answer, Loose } from './kit/wire-client.ts';

const { api } = useServer();
const golden = useGolden('answers');
let namespace = '';
beforeAll(async () => {
  namespace = await createNamespace(api);
});

const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'main', image: 'busybox' }] } };
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
const volume = { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/x' } };
const attachment = { attacher: 'x', nodeName: 'n', source: { persistentVolumeName: 'v' } };
const within = (group: string): string => `${group}/namespaces/NS`;
const storage = '/apis/storage.k8s.io/v1';

const kinds: readonly (readonly [collection: string, object: Loose])[] = [
  [`${within('/api/v1')}/configmaps`, {}],
  [`${within('/api/v1')}/pods`, pod('x')],
  [`${within('/api/v1')}/services`, { spec: { ports: [{ port: 80 }] } }],
  [`${within('/api/v1')}/serviceaccounts`, {}],
  [`${within('/api/v1')}/resourcequotas`, { spec: { hard: { pods: '9' } } }],
  [`${within('/api/v1')}/podtemplates`, { template }],
  [`${within('/api/v1')}/persistentvolumeclaims`, { spec: claim }],
  ['/api/v1/persistentvolumes', { spec: volume }],
  [`${storage}/storageclasses`, { provisioner: 'x' }],
  [`${storage}/csidrivers`, { spec: {} }],
  [`${storage}/csinodes`, { spec: { drivers: [] } }],
  [`${storage}/volumeattachments`, { spec: attachment }],
  [
    `${within('/apis/apps/v1')}/deployments`,
    { spec: { replicas: 0, selector: { matchLabels: { a: 'b' } }, template } },
  ],
  [`${within('/apis/coordination.k8s.io/v1')}/leases`, {}],
];

/** Kind and what is said of the deletion: the object itself is compared elsewhere. */
function gist(answer: Answer, name: string): Loose {
  const { body, status } = maskedAnswer(answer, { [namespace]: '<namespace>', [name]: '<name>' });
  if (body.kind === 'Status') return { status, body };
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = body.metadata;
  return { status, kind: body.kind, deletionTimestamp, deletionGracePeriodSeconds, finalizers };
}

describe('a deletion answers', () => {
  test.each(kinds)('%s', async (place, object) => {
    const name = uniqueName('deleted');
    const path = place.replace('NS', namespace);
    await api.post(path, { ...object, metadata: { name } });
    expect(gist(await api.del(`${path}/${name}`), name)).toEqual(golden(place));
  });
});

const paths = ['/api', '/api/v1', '/apis/apps/v1', '/version', '/.well-known/openid-configuration', '/openid/v1/jwks'];
test.each(paths)('%s can only be read', async (path) => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    expect(maskedAnswer(await api.send({ method, path }))).toEqual(golden('read only'));
  }
  expect((await api.send({ method: 'HEAD', path })).status).toBe(405);
});
