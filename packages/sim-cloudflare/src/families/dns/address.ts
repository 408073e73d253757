import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Dotted quad without surprises: no octal, no short forms. */
export function toIpv4(text: string): string | undefined {
  return isIPv4(text) ? text : undefined;
}

/** Compressed as RFC 5952 says. */
export function toIpv6(text: string): string | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined;
  return new URL(`http://[${text}]`).hostname.slice(1, -1);
}

/** Addresses that the proxy cannot reach. Those for documentation are allowed: they serve as placeholders. */
const unreachable = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['224.0.0.0', 3],
] as const) {
  unreachable.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
  ['ff00::', 8],
] as const) {
  unreachable.addSubnet(net, prefix, 'ipv6');
}

export function isForbiddenTarget(type: string, content: string): boolean {
  if (type === 'A') return unreachable.check(content, 'ipv4');
  return type === 'AAAA' && unreachable.check(content, 'ipv6');
}
