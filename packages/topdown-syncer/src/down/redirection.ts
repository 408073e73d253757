import { isIP } from 'node:net';
import type { Result } from '@tributary/runtime';
import type { Service } from '../contract/cluster-kinds.ts';
import type { DnsConfig, PodSpec } from '../contract/pod.ts';

/** An address, or a name where the load balancer has no more than that. */
export type ApiAddress = { readonly host: string; readonly port: number };

/** Where pods find V's API server and DNS from inside P; nothing where they are not led there. */
export type Redirection = { readonly api?: ApiAddress | undefined; readonly dns?: { readonly ip: string } | undefined };

export type RedirectionMode = 'auto' | 'required' | 'off';

export type IntranetServices = { readonly api: Service | undefined; readonly dns: Service | undefined };

/** A Service that exists must have an address; one that does not exist is missed only where redirection is required. */
export function toRedirection(
  mode: RedirectionMode,
  services: IntranetServices,
  { needsDns }: { readonly needsDns: boolean },
): Result<Redirection> {
  if (mode === 'off') return { ok: true, value: {} };
  const api = hostOf(mode, services.api, 'default/kubernetes-intranet');
  if (!api.ok) return api;
  const dns = needsDns ? nameserverOf(mode, services.dns) : absent;
  if (!dns.ok) return dns;
  const port = services.api?.spec?.ports?.[0]?.port ?? 0;
  if (api.value !== undefined && port === 0) return notReady('Service default/kubernetes-intranet has no port');
  return {
    ok: true,
    value: {
      ...(api.value !== undefined && { api: { host: api.value, port } }),
      ...(dns.value !== undefined && { dns: { ip: dns.value } }),
    },
  };
}

export function needsClusterDns({ dnsPolicy = 'ClusterFirst' }: PodSpec): boolean {
  return dnsPolicy === 'ClusterFirst' || dnsPolicy === 'ClusterFirstWithHostNet';
}

/** What kubelets in V would write into resolv.conf, before what the pod asks for itself. */
export function translateDns(
  spec: PodSpec,
  { dns }: Redirection,
  { namespace, domain }: { readonly namespace: string; readonly domain: string },
): Pick<PodSpec, 'dnsPolicy' | 'dnsConfig'> {
  if (!dns || !needsClusterDns(spec)) return {};
  const { nameservers = [], searches = [], options = [] } = spec.dnsConfig ?? {};
  const asked = options.some(({ name }) => name === 'ndots');
  const dnsConfig: DnsConfig = {
    nameservers: unique([dns.ip, ...nameservers]).slice(0, mostNameservers),
    searches: unique([`${namespace}.svc.${domain}`, `svc.${domain}`, domain, ...searches]),
    options: asked ? options : [{ name: 'ndots', value: '5' }, ...options],
  };
  return { dnsPolicy: 'None', dnsConfig };
}

type HostAlias = { readonly ip: string; readonly hostnames: string[] };

/** V's API server by its usual names, for clients that do not read the environment. A host that is a name itself can have no others. */
export function apiHostAliases({ host }: ApiAddress, domain: string): readonly HostAlias[] {
  if (isIP(host) === 0) return [];
  const hostnames = ['kubernetes.default.svc', 'kubernetes.default', 'kubernetes', `kubernetes.default.svc.${domain}`];
  return [{ ip: host, hostnames }];
}

/** More are refused by the server. */
const mostNameservers = 3;

const absent: Result<string | undefined> = { ok: true, value: undefined };

function hostOf(mode: RedirectionMode, service: Service | undefined, name: string): Result<string | undefined> {
  if (!service) return mode === 'required' ? notReady(`Service ${name} does not exist`) : absent;
  const ingress = service.status?.loadBalancer?.ingress ?? [];
  const host = ingress.find(({ ip }) => ip)?.ip ?? ingress.find(({ hostname }) => hostname)?.hostname;
  return host ? { ok: true, value: host } : notReady(`Service ${name} has no load-balancer address yet`);
}

/** Who is asked for names cannot be found by one. */
function nameserverOf(mode: RedirectionMode, service: Service | undefined): Result<string | undefined> {
  const name = 'kube-system/kube-dns-intranet';
  const found = hostOf(mode, service, name);
  if (!found.ok || found.value === undefined || isIP(found.value) !== 0) return found;
  return notReady(`Service ${name} has the name ${found.value} and no address, which a nameserver needs`);
}

function notReady(message: string): Result<never> {
  return { ok: false, reason: 'NotReady', message };
}

function unique(values: readonly string[]): readonly string[] {
  return [...new Set(values)];
}
