/** Regions that are served by the central endpoint. */
const central: ReadonlySet<string> = new Set([
  'cn-hangzhou',
  'cn-hangzhou-finance',
  'cn-shanghai-finance-1',
  'cn-shenzhen-finance-1',
  'cn-north-2-gov-1',
  'cn-beijing-gov-1',
  'cn-beijing-finance-pop',
  'cn-wuhan',
  'cn-fujian',
]);

export type Endpoint = { readonly protocol: 'http' | 'https'; readonly host: string };

/**
 * Where the VPC API of a region answers. `given` wins: a host, a host with port, or a URL, of which plain `http` is for
 * simulators. `network: vpc` is the way that does not leave the private network.
 */
export function endpointOf(regionId: string, given?: string, network: 'public' | 'vpc' = 'public'): Endpoint {
  if (given) {
    const [, scheme, host = given] = /^(https?):\/\/([^/]+)\/?$/.exec(given) ?? [];
    return { protocol: scheme === 'http' ? 'http' : 'https', host };
  }
  if (network === 'vpc') return { protocol: 'https', host: `vpc-vpc.${regionId}.aliyuncs.com` };
  return { protocol: 'https', host: central.has(regionId) ? 'vpc.aliyuncs.com' : `vpc.${regionId}.aliyuncs.com` };
}
