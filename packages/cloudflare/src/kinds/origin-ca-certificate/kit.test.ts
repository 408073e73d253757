import { describeKind } from '../../engine/l2-controllers/testing/kind-kit.ts';
import { originCaCertificateKind } from './resource.ts';

const spec = { hostnames: ['www.example.com'], requestType: 'origin-ecc', privateKey: { algorithm: 'ECDSA' } };

describeKind('an origin certificate', {
  kind: originCaCertificateKind,
  object: () => ({
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'OriginCACertificate',
    metadata: { name: 'www', namespace: 'default' },
    spec,
  }),
  change: () => ({ spec: { ...spec, hostnames: ['shop.example.com'] } }),
  // What is about to be asked for is written first; the Secret has the key before, and the certificate after.
  writes: 7,
});
