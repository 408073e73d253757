import { domainToASCII } from 'node:url';

/** A name as the API shows it: lower case, punycode, no dot at the end. The root stays a dot. */
export function canonicalHost(host: string): string {
  const trimmed = host.trim();
  if (trimmed === '.') return trimmed;
  const labels = trimmed.replace(/\.$/, '').split('.');
  // Label by label: the whole may hold what no host has, such as `_dmarc` or `*`.
  return labels.map((label) => (/^[ -~]*$/.test(label) ? label.toLowerCase() : domainToASCII(label))).join('.');
}
