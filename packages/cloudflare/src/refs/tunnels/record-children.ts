import { apiVersionOf } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import type { Child } from '../../engine/l2-controllers/contributor.ts';
import { dnsRecordKind } from '../dns-record-kind.ts';
import type { TunnelFound } from '../tunnel-of.ts';
import { dnsRecordNames } from './dns-record-names.ts';
import { tunnelHost } from './tunnel-host.ts';

export type RecordHost = { readonly host: string; readonly proxied: boolean };

/** DNSRecords of the cluster that lead hosts to a tunnel, in the namespace of who asks. */
export function recordChildren(
  { metadata }: KubeObject,
  hosts: readonly RecordHost[],
  tunnel: TunnelFound,
  labels: Readonly<Record<string, string>>,
): readonly Child[] {
  const { name = '', namespace = '' } = metadata;
  const names = dnsRecordNames(
    name,
    hosts.map(({ host }) => host),
  );
  const content = tunnelHost(tunnel.tunnelId);
  return hosts.map(({ host, proxied }) => {
    const object: KubeObject & { readonly spec: object } = {
      apiVersion: apiVersionOf(dnsRecordKind),
      kind: dnsRecordKind.kind,
      metadata: { name: names.get(host) ?? '', namespace, labels },
      spec: { name: host, type: 'CNAME', content, ttl: 1, proxied, cloudflare: tunnel.cloudflare },
    };
    return { kind: dnsRecordKind, object };
  });
}
