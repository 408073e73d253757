import { hash } from 'node:crypto';

const longest = 63;

/** Names for the DNSRecords of an Ingress or a Gateway: `<name>-<host>` with dashes, told apart by a hash where that is not enough. */
export function dnsRecordNames(owner: string, hosts: readonly string[]): ReadonlyMap<string, string> {
  const plain = hosts.map((host) => plainName(owner, host));
  return new Map(
    hosts.map((host, index) => {
      const name = plain[index] ?? '';
      const isAlone = plain.indexOf(name) === index;
      return [host, isAlone && name.length <= longest ? name : shortName(name, host)] as const;
    }),
  );
}

function plainName(owner: string, host: string): string {
  return `${owner}-${host.replaceAll('.', '-').replace(/[^a-z0-9-]/g, '')}`.replace(/^-+|-+$/g, '');
}

function shortName(name: string, host: string): string {
  const suffix = `-${hash('sha256', host).slice(0, 8)}`;
  return `${name.slice(0, longest - suffix.length).replace(/[-.]+$/, '')}${suffix}`;
}
