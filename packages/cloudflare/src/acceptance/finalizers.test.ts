import { expect, test } from 'vitest';
import { contributors, targets } from '../catalog.ts';

// Two conventions of finalizers: the specification's, which we write, and the original's, which may stand on objects that we
// take over and would keep them for ever if nobody took them off.

const former: Readonly<Record<string, readonly string[]>> = {
  CloudflareCredentials: ['cloudflare.com/credentials-finalizer'],
  Tunnel: ['cloudflare-operator.io/finalizer'],
  ClusterTunnel: ['cloudflare-operator.io/finalizer'],
  TunnelBinding: ['cloudflare-operator.io/finalizer'],
  DNSRecord: ['dnsrecord.networking.cloudflare-operator.io/finalizer'],
  VirtualNetwork: ['cloudflare.com/virtualnetwork-finalizer'],
  NetworkRoute: ['cloudflare.com/networkroute-finalizer'],
  PrivateService: ['cloudflare.com/privateservice-finalizer'],
  CloudflareDomain: ['cloudflare.com/domain-finalizer'],
  OriginCACertificate: ['cloudflare.com/origin-ca-certificate-finalizer'],
  DomainRegistration: ['cloudflare.com/domain-registration-finalizer'],
  WARPConnector: ['warpconnector.networking.cloudflare-operator.io/finalizer'],
};

test.each(Object.entries(former))('a %s is let go with what the original put on it', (kind, finalizers) => {
  const contributor = contributors.find((one) => one.kind.kind === kind);
  expect(contributor?.formerFinalizers).toEqual(expect.arrayContaining([...finalizers]));
});

test.each(contributors.filter(({ finalizer }) => finalizer).map((one) => [one.kind.kind, one.finalizer] as const))(
  'ours on a %s is named as the specification says',
  (kind, finalizer) => {
    expect(finalizer).toBe(`${kind.toLowerCase()}.cloudflare-operator.io/finalizer`);
  },
);

test('the Secret of a tunnel is let go with its object', () => {
  const object = { metadata: { namespace: 'edge', name: 'main' }, spec: {} };
  for (const [kind, namespace] of [
    ['Tunnel', 'edge'],
    ['ClusterTunnel', 'operator'],
  ] as const) {
    const contributor = contributors.find((one) => one.kind.kind === kind);
    const given = kind === 'Tunnel' ? object : { ...object, metadata: { name: 'main' } };
    expect(contributor?.formerSecrets?.(given, 'operator')).toEqual([
      { namespace, name: 'main', finalizer: 'cloudflare-operator.io/secret-finalizer-main' },
    ]);
  }
});

const ofStates: Readonly<Record<string, string>> = {
  TunnelConfiguration: 'tunnelconfig',
  TunnelLifecycle: 'tunnellifecycle',
  DNSRecord: 'dns',
  VirtualNetwork: 'virtualnetwork',
  NetworkRoute: 'networkroute',
  PrivateService: 'privateservice',
  CloudflareDomain: 'cloudflaredomain',
};

test.each(Object.entries(ofStates))('a SyncState of type %s has that of the original', (type, word) => {
  const target = targets.find(({ contract }) => contract.type === type);
  const { finalizer = type.toLowerCase() } = (target?.contract ?? {}) as { readonly finalizer?: string };
  expect([target?.contract.type, finalizer]).toEqual([type, word]);
});
