/** Whether a host or record name is the domain itself or lies below it. */
export function isInDomain(name: string, domain: string): boolean {
  const [host, zone] = [plain(name), plain(domain)];
  return zone !== '' && (host === zone || host.endsWith(`.${zone}`));
}

/**
 * The whole name of a record of the domain; nothing for a name that lies elsewhere. A short name is one without a dot, or
 * one whose last label cannot end a whole name (`_sip._tcp`); `@` is the domain itself.
 */
export function completeName(name: string, domain: string): string | undefined {
  const [host, zone] = [plain(name), plain(domain)];
  if (host === '@') return zone;
  if (isInDomain(host, zone)) return host;
  const last = host.slice(host.lastIndexOf('.') + 1);
  const isShort = host !== '' && (last === host || last.startsWith('_'));
  return isShort ? `${host}.${zone}` : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}
