import { beforeEach, describe, expect, test } from 'vitest';
import { startSimulatedCluster } from '../../actors/testing/simulated-cluster.ts';
import type { SimulatedCluster } from '../../actors/testing/simulated-cluster.ts';
import type { JsonObject } from '../../registry/json.ts';
import { createTokenIssuer } from '../../auth/token-issuer.ts';

const pods = '/api/v1/namespaces/default/pods';

describe('subresources of pods', () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await startSimulatedCluster();
    await cluster.make('pods', {
      metadata: { name: 'web', labels: { app: 'web' } },
      spec: { containers: [{ name: 'app', image: 'x' }] },
    });
  });

  async function send(method: string, path: string, body?: JsonObject): Promise<{ status: number; body: JsonObject }> {
    const response = await cluster.handler({
      method,
      path,
      query: new URLSearchParams(),
      headers: { authorization: `Bearer ${cluster.token}`, 'content-type': 'application/json' },
      body: new TextEncoder().encode(body === undefined ? '' : JSON.stringify(body)),
      signal: new AbortController().signal,
    });
    if (response.kind !== 'body') throw new Error('a stream');
    const text = typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body);
    return { status: response.status, body: JSON.parse(text) as JsonObject };
  }
  const bind = (node: string, more: JsonObject = {}): ReturnType<typeof send> =>
    send('POST', `${pods}/web/binding`, { metadata: { name: 'web', ...more }, target: { kind: 'Node', name: node } });
  const pod = (): JsonObject => cluster.read('pods', 'web') as JsonObject;

  test('a binding puts a pod on a node, with annotations, and is no new generation', async () => {
    expect((await bind('n1', { annotations: { a: 'b' } })).status).toBe(201);
    expect(pod()).toMatchObject({
      metadata: { generation: 1, annotations: { a: 'b' } },
      spec: { nodeName: 'n1' },
      status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
    });
  });

  test('a pod is bound once', async () => {
    await bind('n1');
    const { status, body } = await bind('n2');
    expect([status, body['message']]).toEqual([
      409,
      'Operation cannot be fulfilled on pods/binding "web": pod web is already assigned to node "n1"',
    ]);
  });

  test('where a pod runs cannot be changed but by a binding', async () => {
    const { status } = await send('PUT', `${pods}/web/assignment`, pod());
    expect(status).toBe(405);
    const changed = { ...pod(), spec: { ...(pod()['spec'] as JsonObject), nodeName: 'n1' } };
    expect((await send('PUT', `${pods}/web`, changed)).status).toBe(422);
  });

  test('a write of the status takes labels and annotations along, and neither owners nor spec', async () => {
    const { metadata, ...rest } = pod();
    const { status } = await send('PUT', `${pods}/web/status`, {
      ...rest,
      metadata: {
        ...(metadata as JsonObject),
        labels: { changed: 'yes' },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: 'n', uid: 'u' }],
      },
      spec: { containers: [{ name: 'other', image: 'y' }] },
      status: { phase: 'Running' },
    });
    expect(status).toBe(200);
    expect(pod()).toMatchObject({
      metadata: { labels: { changed: 'yes' } },
      spec: { containers: [{ name: 'app' }] },
      status: { phase: 'Running', qosClass: 'BestEffort' },
    });
    expect((pod()['metadata'] as JsonObject)['ownerReferences']).toBeUndefined();
  });

  test('containers for debugging can be added and not be taken away', async () => {
    const spec = pod()['spec'] as JsonObject;
    const debug = { name: 'debug', image: 'busybox', targetContainerName: 'app' };
    const path = `${pods}/web/ephemeralcontainers`;
    expect((await send('PUT', path, { ...pod(), spec: { ...spec, ephemeralContainers: [debug] } })).status).toBe(200);
    expect(pod()).toMatchObject({ metadata: { generation: 2 }, spec: { ephemeralContainers: [{ name: 'debug' }] } });
    const refused = await send('PUT', path, { ...pod(), spec });
    expect(refused.body['message']).toBe(
      'Pod "web" is invalid: spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n',
    );
  });

  test('an eviction waits for the budget and then deletes', async () => {
    const budget = await cluster.make(
      'poddisruptionbudgets',
      { metadata: { name: 'budget' }, spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } } },
      'policy',
    );
    await bind('n1');
    await cluster.client.change(
      { group: '', plural: 'pods' },
      { namespace: 'default', name: 'web' },
      (draft) => void (draft['status'] = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] }),
      { subresource: 'status' },
    );
    const allow = (disruptionsAllowed: number): Promise<unknown> =>
      cluster.client.change(
        { group: 'policy', plural: 'poddisruptionbudgets' },
        { namespace: 'default', name: 'budget' },
        (draft) =>
          void (draft['status'] = {
            disruptionsAllowed,
            currentHealthy: 1,
            desiredHealthy: 1,
            expectedPods: 1,
            observedGeneration: budget.metadata.generation,
          }),
        { subresource: 'status' },
      );
    await allow(0);
    const evict = (): ReturnType<typeof send> => send('POST', `${pods}/web/eviction`, { metadata: { name: 'web' } });
    const refused = await evict();
    expect([refused.status, refused.body['message']]).toEqual([
      429,
      "Cannot evict pod as it would violate the pod's disruption budget.",
    ]);
    await allow(1);
    expect((await evict()).status).toBe(201);
    expect((pod()['metadata'] as JsonObject)['deletionTimestamp']).toBeDefined();
    const left = cluster.read('poddisruptionbudgets', 'budget', 'policy');
    expect(left?.['status']).toMatchObject({ disruptionsAllowed: 0 });
  });

  test('a deletion has the grace of the pod, a second one shortens it, and an unbound pod goes at once', async () => {
    await bind('n1');
    const { body } = await send('DELETE', `${pods}/web`);
    expect(body['metadata']).toMatchObject({ deletionGracePeriodSeconds: 30 });
    const shorter = await send('DELETE', `${pods}/web`, { gracePeriodSeconds: 5 });
    expect(shorter.body['metadata']).toMatchObject({ deletionGracePeriodSeconds: 5 });
    expect((await send('DELETE', `${pods}/web`, { gracePeriodSeconds: 0 })).status).toBe(200);
    expect(cluster.read('pods', 'web')).toBeUndefined();
  });

  test('a token names its account, what it is bound to and its end, and is signed', async () => {
    const { status, body } = await send('POST', '/api/v1/namespaces/default/serviceaccounts/default/token', {
      spec: {
        audiences: ['vault'],
        expirationSeconds: 1200,
        boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'web' },
      },
    });
    expect(status).toBe(201);
    const { token, expirationTimestamp } = body['status'] as { token: string; expirationTimestamp: string };
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;
    const nowSeconds = Math.floor(cluster.clock.now() / 1000);
    expect(claims).toMatchObject({
      iss: 'https://kubernetes.default.svc',
      sub: 'system:serviceaccount:default:default',
      aud: ['vault'],
      iat: nowSeconds,
      exp: nowSeconds + 1200,
      'kubernetes.io': { namespace: 'default', serviceaccount: { name: 'default' }, pod: { name: 'web' } },
    });
    expect(Date.parse(expirationTimestamp)).toBe((nowSeconds + 1200) * 1000);
  });

  test('a token for less than ten minutes is refused', async () => {
    const path = '/api/v1/namespaces/default/serviceaccounts/default/token';
    const { status, body } = await send('POST', path, { spec: { expirationSeconds: 60 } });
    expect([status, body['message']]).toEqual([
      422,
      'TokenRequest.authentication.k8s.io "" is invalid: spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 10 minutes',
    ]);
  });
});

describe('the issuer of tokens', () => {
  const claims = { sub: 's', aud: ['a'], exp: 2, iat: 1, nbf: 1, jti: 'j', 'kubernetes.io': {} };

  test('knows its own tokens and no others', () => {
    const [ours, other] = [createTokenIssuer('https://a', () => 0.3), createTokenIssuer('https://a', () => 0.6)];
    const token = ours.sign(claims);
    expect(ours.verify(token)).toEqual({ iss: 'https://a', ...claims });
    expect(other.verify(token)).toBeUndefined();
    expect(ours.verify(token.replace(/\.[^.]+\./, '.e30.'))).toBeUndefined();
  });

  test('has the same key for the same chance', () => {
    const keys = [0.3, 0.3].map((chance) => createTokenIssuer('https://a', () => chance).keys());
    expect(keys[0]).toEqual(keys[1]);
  });
});
