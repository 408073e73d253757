import { secretKind } from '@tributary/runtime';
import type { Secret } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { annotations, labels, ownerAnnotation } from './contract/keys.ts';
import { podKind } from './contract/pod.ts';
import type { Pod, Projection, Volume } from './contract/pod.ts';
import { createDownParts } from './down-parts.ts';
import { copyOf, eventsOf, find, podOf, web } from './testing/objects.ts';
import { clusterId, createWorld, mountNamespace } from './testing/world.ts';
import type { RequestLog, RunningSyncer, World } from './testing/world.ts';

let world: World;
let virtualLog: RequestLog;
let physicalLog: RequestLog;
let running: RunningSyncer;
afterEach(async () => world.end());

async function start(): Promise<void> {
  world = await createWorld({ parts: createDownParts, staticVnodes: true });
  virtualLog = { requests: [] };
  physicalLog = { requests: [] };
  running = await world.startSyncer({ virtualLog, physicalLog });
}

async function seconds(count: number): Promise<void> {
  await world.clock.advance(count * 1000);
}

async function tokenSecrets(): Promise<readonly Secret[]> {
  const labelSelector = `${labels.serviceAccountToken}=true`;
  return (await world.p.list(secretKind, { namespace: mountNamespace, labelSelector })).items;
}

/** `automountServiceAccountToken: undefined` lets V's admission add the usual volume. */
function withAccount(volumes?: readonly Volume[]): Pod {
  const { automountServiceAccountToken: _, ...spec } = podOf().spec;
  return { metadata: web, spec: { ...spec, ...(volumes && { volumes, automountServiceAccountToken: false }) } };
}

const claimsOf = (secret: Secret, key: string): Record<string, unknown> => {
  const token = Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>;
};

const source = (path: string, audience?: string, expirationSeconds = 3600): Projection => ({
  serviceAccountToken: { path, expirationSeconds, ...(audience && { audience }) },
});

describe('a projected token', () => {
  test('is asked of V for the pod and mounted from a Secret of P; the usual volume costs one request more on each side', async () => {
    await start();
    await world.v.create(podKind, withAccount());
    await seconds(10);
    const pod = await world.v.get(podKind, web);
    const [secret] = await tokenSecrets();
    expect(secret?.metadata.annotations).toMatchObject({
      [annotations.virtualPodName]: 'web',
      [annotations.virtualPodUid]: pod.metadata.uid,
      [annotations.serviceAccount]: 'default',
    });
    expect(claimsOf(secret!, 'token')['sub']).toBe('system:serviceaccount:default:default');
    const copy = await world.p.get(podKind, copyOf(web));
    const projected = copy.spec.volumes?.find(({ projected }) => projected)?.projected?.sources;
    expect(projected?.[0]).toEqual({
      secret: { name: secret?.metadata.name, items: [{ key: 'token', path: 'token' }] },
    });
    expect(JSON.stringify(copy.spec)).not.toContain('serviceAccountToken":{');
    const writes = (log: RequestLog): string[] => log.requests.filter((request) => !request.startsWith('GET'));
    expect(writes(virtualLog).filter((request) => !request.includes('configmaps'))).toEqual([
      'PATCH pods',
      'POST serviceaccounts/token',
      'PATCH pods',
    ]);
    expect(writes(physicalLog).filter((request) => !request.includes('configmaps'))).toEqual([
      'POST priorityclasses',
      'POST secrets',
      'POST pods',
    ]);
  });

  test('W11: two tokens of one volume are two keys of its Secret', async () => {
    await start();
    const sources = [source('one', 'a'), source('two', 'b')];
    await world.v.create(podKind, withAccount([{ name: 'tokens', projected: { sources } }]));
    await seconds(10);
    const [secret, ...others] = await tokenSecrets();
    expect(others).toEqual([]);
    expect(claimsOf(secret!, 'token')['aud']).toEqual(['a']);
    expect(claimsOf(secret!, 'token-1')['aud']).toEqual(['b']);
    const copy = await world.p.get(podKind, copyOf(web));
    expect(copy.spec.volumes?.[0]?.projected?.sources).toEqual([
      { secret: { name: secret?.metadata.name, items: [{ key: 'token', path: 'one' }] } },
      { secret: { name: secret?.metadata.name, items: [{ key: 'token-1', path: 'two' }] } },
    ]);
  });

  test('W11: of ten minutes is refreshed before it ends, and one that is not due is never written', async () => {
    await start();
    await world.v.create(podKind, withAccount([{ name: 't', projected: { sources: [source('x', 'a', 600)] } }]));
    await seconds(10);
    const [before] = await tokenSecrets();
    await seconds(400);
    expect((await tokenSecrets())[0]?.metadata.resourceVersion).toBe(before?.metadata.resourceVersion);
    await seconds(100);
    const [after] = await tokenSecrets();
    expect(Number(claimsOf(after!, 'token')['exp'])).toBeGreaterThan(Number(claimsOf(before!, 'token')['exp']));
    expect(virtualLog.requests.filter((request) => request.endsWith('token'))).toHaveLength(2);
  });

  test('W11: a new syncer asks for no token that is still good', async () => {
    await start();
    await world.v.create(podKind, withAccount());
    await seconds(10);
    const again: RequestLog = { requests: [] };
    await world.startSyncer({ userAgent: 'next', virtualLog: again });
    await seconds(10);
    expect(again.requests.filter((request) => !request.startsWith('GET'))).toEqual([]);
  });

  test('W11: whose Secret vanished is made again', async () => {
    await start();
    await world.v.create(podKind, withAccount());
    await seconds(10);
    const [secret] = await tokenSecrets();
    await world.p.delete(secretKind, { namespace: mountNamespace, name: secret?.metadata.name ?? '' });
    await seconds(10);
    expect((await tokenSecrets()).map(({ metadata }) => metadata.name)).toEqual([secret?.metadata.name]);
  });

  test('W11: of a finished pod is not refreshed', async () => {
    await start();
    const pod = withAccount([{ name: 't', projected: { sources: [source('x', 'a', 600)] } }]);
    const script = { 'sim-kubernetes.tributary.io/outcome': 'succeed' };
    await world.v.create(podKind, {
      ...pod,
      metadata: { ...web, annotations: script },
      spec: { ...pod.spec, restartPolicy: 'Never' },
    });
    await seconds(2000);
    expect((await world.p.get(podKind, copyOf(web))).status?.phase).toBe('Succeeded');
    expect(virtualLog.requests.filter((request) => request.endsWith('token'))).toHaveLength(1);
  });

  test('goes with its pod: one request more in P', async () => {
    await start();
    await world.v.create(podKind, withAccount([{ name: 't', projected: { sources: [source('x')] } }]));
    await seconds(10);
    physicalLog.requests.length = 0;
    await world.v.delete(podKind, web, { gracePeriodSeconds: 1 });
    await seconds(30);
    expect(await tokenSecrets()).toEqual([]);
    expect(await find(world.v, podKind, web)).toBeUndefined();
    expect(physicalLog.requests).toEqual(['DELETE pods', 'DELETE secrets']);
  });

  test('of a pod that had the name before goes, even if nobody saw the time between the two', async () => {
    await start();
    const pod = withAccount([{ name: 't', projected: { sources: [source('x')] } }]);
    await world.v.create(podKind, pod);
    await seconds(10);
    await running.stop();
    await world.v.delete(podKind, web, { gracePeriodSeconds: 0 });
    await world.v.create(podKind, pod);
    await world.startSyncer({ userAgent: 'next' });
    await seconds(90);
    const { uid } = (await world.v.get(podKind, web)).metadata;
    expect((await tokenSecrets()).map(({ metadata }) => metadata.annotations?.[annotations.virtualPodUid])).toEqual([
      uid,
    ]);
  });

  test('of another virtual cluster, or without a mark, is never collected', async () => {
    await start();
    const metadata = {
      namespace: mountNamespace,
      name: 'theirs',
      labels: { [labels.managedBy]: 'kubeocean', [labels.serviceAccountToken]: 'true' },
      annotations: {
        [annotations.virtualPodNamespace]: 'default',
        [annotations.virtualPodName]: 'gone',
        [annotations.virtualPodUid]: 'u',
      },
    };
    await world.p.create(secretKind, { metadata });
    const marked = { ...metadata.annotations, 'tributary.io/owner-cls-worker1': 'another-virtual-cluster' };
    await world.p.create(secretKind, { metadata: { ...metadata, name: 'marked', annotations: marked } });
    await seconds(600);
    expect(await tokenSecrets()).toHaveLength(2);
  });

  test("is never written into a Secret of another's that has its name: the pod waits and says who", async () => {
    world = await createWorld({ parts: createDownParts, staticVnodes: true });
    const { metadata } = await world.v.create(
      podKind,
      withAccount([{ name: 'v', projected: { sources: [source('t')] } }]),
    );
    const name = copyOf({ namespace: 'default', name: `web-v-${metadata.uid ?? ''}` }).name;
    const theirs = {
      [annotations.virtualPodNamespace]: 'default',
      [annotations.virtualPodName]: 'web',
      [annotations.virtualPodUid]: metadata.uid ?? '',
      [ownerAnnotation(clusterId)]: 'another-cluster',
    };
    const marks = { [labels.managedBy]: 'kubeocean', [labels.serviceAccountToken]: 'true' };
    const held = { metadata: { namespace: mountNamespace, name, labels: marks, annotations: theirs } };
    await world.p.create(secretKind, held);
    await world.startSyncer();
    await seconds(20);
    expect(await find(world.p, podKind, copyOf(web))).toBeUndefined();
    expect((await world.p.get(secretKind, { namespace: mountNamespace, name })).data).toBeUndefined();
    expect((await eventsOf(world.v, 'web')).join()).toContain('is held by virtual cluster another-cluster');
  });
});
