import { apiVersionOf, getCondition } from '@tributary/runtime';
import type { Condition, KubeObject } from '@tributary/runtime';
import type { Child, View } from '../../engine/l2-controllers/contributor.ts';
import { priorities } from '../../engine/l4-state/source.ts';
import { dnsRecordKind } from '../dns-record-kind.ts';
import type { TunnelFound } from '../tunnel-of.ts';
import { dnsRecordNames } from './dns-record-names.ts';
import { tunnelHost } from './tunnel-host.ts';

export type RecordHost = { readonly host: string; readonly proxied: boolean };

export type RecordWish = {
  readonly hosts: readonly RecordHost[];
  readonly tunnel: TunnelFound;
  readonly labels: Readonly<Record<string, string>>;
  /** Of who asks: where several ask for one host and differ, it counts for the record too. */
  readonly priority: number;
};

const priorityAnnotation = 'cloudflare-operator.io/priority';

/** DNSRecords of the cluster that lead hosts to a tunnel, in the namespace of who asks. */
export function recordChildren({ metadata }: KubeObject, wish: RecordWish): readonly Child[] {
  const { name = '', namespace = '' } = metadata;
  const { hosts, tunnel, labels, priority } = wish;
  const names = dnsRecordNames(
    name,
    hosts.map(({ host }) => host),
  );
  const content = tunnelHost(tunnel.tunnelId);
  const annotations = { [priorityAnnotation]: String(priority) };
  return hosts.map(({ host, proxied }) => {
    const object: KubeObject & { readonly spec: object } = {
      apiVersion: apiVersionOf(dnsRecordKind),
      kind: dnsRecordKind.kind,
      metadata: { name: names.get(host) ?? '', namespace, labels, annotations },
      spec: { name: host, type: 'CNAME', content, ttl: 1, proxied, cloudflare: tunnel.cloudflare },
    };
    return { kind: dnsRecordKind, object };
  });
}

/** The priority with which a DNSRecord was made; that of everybody where nobody said. */
export function priorityOfRecord({ metadata }: KubeObject): number {
  const text = metadata.annotations?.[priorityAnnotation] ?? '';
  return /^[1-9]\d*$/.test(text) ? Number(text) : priorities.normal;
}

type Recorded = KubeObject & {
  readonly spec?: { readonly name?: string };
  readonly status?: { readonly state?: string; readonly conditions?: readonly Condition[] };
};

export type RecordFates = {
  /** `app.example.com: why it has no record`. */
  readonly problems: readonly string[];
  /** Whether one of them leads where it should. */
  readonly someLead: boolean;
};

/** What has become of the DNSRecords of an object: it has to tell, for it is the one that a person looks at. */
export function fatesOfRecords({ children = [] }: Pick<View, 'children'>): RecordFates {
  const records: readonly Recorded[] = children.filter(({ metadata }) => !metadata.deletionTimestamp);
  return {
    problems: records
      .filter(({ status }) => status?.state === 'Error')
      .map(({ spec, status }) => {
        const why = getCondition<Condition>(status?.conditions, 'Ready')?.message ?? 'its DNSRecord is in error';
        return `${spec?.name ?? ''}: ${why}`;
      }),
    someLead: records.some(({ status }) => status?.state === 'Active'),
  };
}
