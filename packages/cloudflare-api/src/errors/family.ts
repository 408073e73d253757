/**
 * Which product a path belongs to. Cloudflare numbers its errors per product, so a code means nothing without it.
 * Paths are those below `/client/v4`.
 */
const families = [
  ['tokens', /^\/(user|accounts\/[^/]+)\/tokens(\/|$)/u],
  ['tunnels', /^\/accounts\/[^/]+\/(cfd_tunnel|warp_connector|tunnels)(\/|$)/u],
  ['virtual-networks', /^\/accounts\/[^/]+\/teamnet\/virtual_networks(\/|$)/u],
  ['routes', /^\/accounts\/[^/]+\/teamnet\/routes(\/|$)/u],
  ['hostname-routes', /^\/accounts\/[^/]+\/zerotrust\/routes\/hostname(\/|$)/u],
  ['dns', /^\/zones\/[^/]+\/(dns_records|dns_settings|dnssec)(\/|$)/u],
  ['zone-settings', /^\/zones\/[^/]+\/settings(\/|$)/u],
  ['access', /^\/(accounts|zones)\/[^/]+\/access(\/|$)/u],
  ['gateway', /^\/accounts\/[^/]+\/gateway(\/|$)/u],
  ['devices', /^\/accounts\/[^/]+\/devices(\/|$)/u],
  ['r2', /^\/accounts\/[^/]+\/(r2|event_notifications\/r2)(\/|$)/u],
  ['rulesets', /^\/(accounts|zones)\/[^/]+\/rulesets(\/|$)/u],
  ['lists', /^\/accounts\/[^/]+\/rules\/lists(\/|$)/u],
  ['origin-ca', /^\/certificates(\/|$)/u],
  ['registrar', /^\/accounts\/[^/]+\/registrar(\/|$)/u],
  ['queues', /^\/accounts\/[^/]+\/queues(\/|$)/u],
  ['pages', /^(\/accounts\/[^/]+)?\/pages(\/|$)/u],
  ['zones', /^\/zones(\/[^/]+)?$/u],
  ['accounts', /^\/accounts(\/[^/]+)?$/u],
] as const;

export type Family = (typeof families)[number][0] | 'other';

export function familyOf(path: string): Family {
  return families.find(([, pattern]) => pattern.test(path))?.[0] ?? 'other';
}
