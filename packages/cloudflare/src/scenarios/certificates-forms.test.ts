import { parseYaml } from '@tributary/runtime';
import { expect, test } from 'vitest';
import { domainRegistrationKind } from '../kinds/domain-registration/resource.ts';
import { warpConnectorKind } from '../kinds/warp-connector/resource.ts';
import { originCaCertificateKind } from '../kinds/origin-ca-certificate/resource.ts';

const kinds = {
  certificate: originCaCertificateKind,
  registration: domainRegistrationKind,
  connector: warpConnectorKind,
};

test.each([
  ['certificate', '{ hostnames: [example.com, "*.example.com"] }'],
  [
    'certificate',
    '{ hostnames: [example.com], requestType: origin-ecc, validity: 365, credentialsRef: { name: main }, privateKey: { algorithm: ECDSA, size: 256 }, secretSync: { enabled: true, secretName: tls, certManagerCompatible: true, includeCA: true }, renewal: { enabled: true, renewBeforeDays: 30 } }',
  ],
  ['certificate', '{ hostnames: [example.com], csr: x, privateKey: { secretRef: { name: key, key: private-key } } }'],
  ['registration', '{ domainName: example.com }'],
  [
    'registration',
    '{ domainName: example.com, configuration: { autoRenew: true, privacy: true, locked: true, nameServers: [a.example.net] }, registrantContact: { firstName: A, lastName: B, address: S 1, city: C, state: S, zip: "1", country: DE, phone: "+49.1", email: a@example.com } }',
  ],
  ['connector', '{ cloudflare: {} }'],
  [
    'connector',
    '{ name: gate, replicas: 2, image: x, virtualNetworkRef: { name: office }, routes: [{ network: 10.0.0.0/8, comment: c }], resources: { limits: { cpu: "1" }, requests: { memory: 64Mi } }, nodeSelector: { a: b }, tolerations: [{ key: a, operator: Equal, value: b, effect: NoExecute, tolerationSeconds: 5 }], serviceAccountName: x, cloudflare: { credentialsRef: { name: main } } }',
  ],
] as const)('a form of a %s that is valid: %s', (kind, yaml) => {
  expect(kinds[kind].parseSpec(parseYaml(yaml))).toMatchObject({ ok: true });
});

test.each([
  ['certificate', '{ hostnames: [] }', 'spec.hostnames'],
  ['certificate', '{ hostnames: [a.example.com], validity: 8 }', 'spec.validity'],
  ['certificate', '{ hostnames: [a.example.com], requestType: keyless-certificate }', 'spec.requestType'],
  ['certificate', '{ hostnames: [a.example.com], renewal: { renewBeforeDays: 0 } }', 'spec.renewal.renewBeforeDays'],
  ['certificate', '{ hostnames: [a.example.com], privateKey: { secretRef: {} } }', 'spec.privateKey.secretRef.name'],
  ['registration', '{ domainName: www.example.com }', 'spec.domainName'],
  ['registration', '{ domainName: example.com, registrantContact: { country: de } }', 'spec.registrantContact.country'],
  ['connector', '{}', 'spec.cloudflare'],
  ['connector', '{ cloudflare: {}, replicas: 0 }', 'spec.replicas'],
  ['connector', '{ cloudflare: {}, routes: [{ network: 10.0.0.0 }] }', 'spec.routes[0].network'],
  ['connector', '{ cloudflare: {}, tolerations: [{ operator: In }] }', 'spec.tolerations[0].operator'],
] as const)('a form of a %s that is refused names the field: %s', (kind, yaml, field) => {
  const problem: unknown = expect.objectContaining({ field });
  expect(kinds[kind].parseSpec(parseYaml(yaml))).toMatchObject({
    ok: false,
    problems: expect.arrayContaining([problem]) as unknown,
  });
});
