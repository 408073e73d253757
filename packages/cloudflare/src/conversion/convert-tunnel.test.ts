import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { tunnelKind } from '../kinds/tunnel/resource.ts';
import { convertTunnel, formerVersion, storedVersion } from './convert-tunnel.ts';
import { answerReview } from './review.ts';
import { tunnelConverters } from './tunnel-converters.ts';

const former = {
  apiVersion: formerVersion,
  kind: 'Tunnel',
  metadata: { name: 'main', namespace: 'edge', uid: 'u1' },
  spec: {
    size: 3,
    image: 'cloudflare/cloudflared:2025.4.0',
    nodeSelectors: { zone: 'a' },
    tolerations: [{ key: 'edge', operator: 'Exists' }],
    noTlsVerify: false,
    protocol: 'auto',
    fallbackTarget: 'http_status:404',
    cloudflare: { domain: 'example.com', secret: 'cf', accountId: 'acc' },
    newTunnel: { name: 'main' },
    existingTunnel: { id: '', name: '' },
  },
  status: { tunnelId: 't1', tunnelName: 'main', accountId: 'acc', zoneId: 'z1' },
};

describe('a Tunnel of v1alpha1', () => {
  test('becomes one of v1alpha2, its fields for the Deployment a patch', () => {
    const { spec, ...rest } = convertTunnel(former, storedVersion) as typeof former & { spec: Record<string, unknown> };
    expect(rest).toEqual({
      apiVersion: storedVersion,
      kind: 'Tunnel',
      metadata: former.metadata,
      status: former.status,
    });
    expect(spec).toEqual({
      noTlsVerify: false,
      protocol: 'auto',
      fallbackTarget: 'http_status:404',
      cloudflare: former.spec.cloudflare,
      newTunnel: { name: 'main' },
      deployPatch:
        '{"spec":{"replicas":3,"template":{"spec":{"containers":[{"image":"cloudflare/cloudflared:2025.4.0","name":"cloudflared"}],' +
        '"nodeSelector":{"zone":"a"},"tolerations":[{"key":"edge","operator":"Exists"}]}}}}',
    });
    expect(tunnelKind.parseSpec(spec).ok).toBe(true);
  });

  test('with no replicas at all stays without them', () => {
    const none = { ...former, spec: { ...former.spec, size: 0, image: '', nodeSelectors: {}, tolerations: [] } };
    expect(convertTunnel(none, storedVersion)).toMatchObject({ spec: { deployPatch: '{"spec":{"replicas":0}}' } });
  });
});

const stored = {
  apiVersion: storedVersion,
  kind: 'ClusterTunnel',
  metadata: { name: 'main', annotations: { note: 'mine' } },
  spec: {
    deployPatch: 'spec:\n  replicas: 2\n  minReadySeconds: 9\n',
    noTlsVerify: true,
    protocol: 'quic',
    fallbackTarget: 'http_status:404',
    cloudflare: { credentialsRef: { name: 'prod' }, zoneId: 'z1' },
    existingTunnel: { id: 't1' },
    enableWarpRouting: true,
    priority: 20,
  },
  status: { tunnelId: 't1', tunnelName: 'n', accountId: 'a', zoneId: '', state: 'active', observedGeneration: 2 },
};

describe('a Tunnel of v1alpha2', () => {
  test('is shown as v1alpha1 with what that version can hold, and valid there', () => {
    const shown = convertTunnel(stored, formerVersion) as unknown as typeof former;
    expect(shown.spec).toMatchObject({ size: 2, cloudflare: { domain: '', secret: '' }, existingTunnel: { id: 't1' } });
    expect(shown.status).toEqual({ tunnelId: 't1', tunnelName: 'n', accountId: 'a', zoneId: '' });
    expect(tunnelKind.at('v1alpha1').parseSpec(shown.spec).ok).toBe(true);
  });

  test('comes back as it was, word for word', () => {
    const back = convertTunnel(convertTunnel(stored, formerVersion), storedVersion) as typeof stored;
    expect(back).toEqual({
      ...stored,
      spec: { ...stored.spec, cloudflare: { ...stored.spec.cloudflare, domain: '', secret: '' } },
    });
  });

  test('keeps what was changed as v1alpha1, and beside it the rest of the patch', () => {
    const shown = convertTunnel(stored, formerVersion) as { readonly spec: object };
    const changed = { ...shown, spec: { ...shown.spec, size: 5 } };
    const { spec } = convertTunnel(changed, storedVersion) as typeof stored;
    expect(JSON.parse(spec.deployPatch)).toMatchObject({ spec: { replicas: 5, minReadySeconds: 9 } });
    expect(spec.enableWarpRouting).toBe(true);
  });
});

test('any v1alpha1 object comes back from v1alpha2 with the same meaning', () => {
  const spec = fc.record({
    size: fc.nat(5),
    image: fc.constantFrom('a:1', 'b:2'),
    nodeSelectors: fc.dictionary(fc.constantFrom('x', 'y'), fc.constantFrom('1', '2'), { minKeys: 1 }),
    cloudflare: fc.constant({ domain: 'example.com', secret: 's' }),
    newTunnel: fc.constant({ name: 'n' }),
  });
  fc.assert(
    fc.property(spec, (fields) => {
      const object = { apiVersion: formerVersion, kind: 'Tunnel', metadata: { name: 'x' }, spec: fields };
      const back = convertTunnel(convertTunnel(object, storedVersion), formerVersion) as typeof object;
      expect(back.spec).toEqual(fields);
    }),
  );
});

describe('a ConversionReview', () => {
  const ask = (desiredAPIVersion: string) =>
    answerReview({ request: { uid: 'r1', desiredAPIVersion, objects: [former, former] } });

  test('is answered with every object converted', () => {
    const converted = convertTunnel(former, storedVersion);
    expect(ask(storedVersion)).toEqual({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'ConversionReview',
      response: { uid: 'r1', convertedObjects: [converted, converted], result: { status: 'Success' } },
    });
  });

  test('for a version that there is not is refused by name', () => {
    expect(ask('networking.cloudflare-operator.io/v1')).toMatchObject({
      response: { uid: 'r1', result: { status: 'Failure', message: expect.stringContaining('/v1 of Tunnel') } },
    });
  });
});

test('both kinds are converted in process too', () => {
  for (const convert of Object.values(tunnelConverters)) {
    expect(convert(former, storedVersion)).toMatchObject({ apiVersion: storedVersion });
  }
  expect(Object.keys(tunnelConverters)).toContain(tunnelKind.toCrd().metadata.name);
});
