import { describe, expect, test } from 'vitest';
import type { Service } from '../contract/cluster-kinds.ts';
import { toRedirection } from './redirection.ts';

const service = (ip: string | undefined, port?: number): Service => ({
  metadata: {},
  spec: { ports: port === undefined ? [] : [{ port }] },
  status: { loadBalancer: { ingress: ip === undefined ? [] : [{ ip }] } },
});
const named = (hostname: string, port: number): Service => ({
  ...service(undefined, port),
  status: { loadBalancer: { ingress: [{ hostname }] } },
});
const both = { api: service('10.0.0.1', 6443), dns: service('10.0.0.2', 53) };
const notReady = (message: string): object => ({ ok: false, reason: 'NotReady', message });
const missing = 'Service default/kubernetes-intranet does not exist';

const cases = [
  {
    name: 'both Services lead to V',
    mode: 'auto',
    services: both,
    value: { api: { host: '10.0.0.1', port: 6443 }, dns: { ip: '10.0.0.2' } },
  },
  {
    name: 'W13: without Services nothing is redirected',
    mode: 'auto',
    services: { api: undefined, dns: undefined },
    value: {},
  },
  { name: 'switched off, Services do not count', mode: 'off', services: both, value: {} },
  {
    name: 'where it is required, a missing Service is an error',
    mode: 'required',
    services: { api: undefined, dns: both.dns },
    error: missing,
  },
  {
    name: 'a Service without an ingress is an error',
    mode: 'auto',
    services: { ...both, api: service(undefined, 1) },
    error: 'Service default/kubernetes-intranet has no load-balancer address yet',
  },
  {
    name: 'an empty address is an error',
    mode: 'auto',
    services: { ...both, dns: service('') },
    error: 'Service kube-system/kube-dns-intranet has no load-balancer address yet',
  },
  {
    name: 'W13: a name of the load balancer leads to the API server, too',
    mode: 'auto',
    services: { ...both, api: named('api.example.com', 6443) },
    value: { api: { host: 'api.example.com', port: 6443 }, dns: { ip: '10.0.0.2' } },
  },
  {
    name: 'W13: a name is no nameserver, and that is said',
    mode: 'auto',
    services: { ...both, dns: named('dns.example.com', 53) },
    error:
      'Service kube-system/kube-dns-intranet has the name dns.example.com and no address, which a nameserver needs',
  },
  {
    name: 'no port is an error',
    mode: 'auto',
    services: { ...both, api: service('10.0.0.1') },
    error: 'Service default/kubernetes-intranet has no port',
  },
  {
    name: 'port 0 is an error',
    mode: 'auto',
    services: { ...both, api: service('10.0.0.1', 0) },
    error: 'Service default/kubernetes-intranet has no port',
  },
] as const;

describe('the intranet Services', () => {
  for (const one of cases) {
    test(one.name, () => {
      const found = toRedirection(one.mode, one.services, { needsDns: true });
      expect(found).toEqual('error' in one ? notReady(one.error) : { ok: true, value: one.value });
    });
  }

  test('a pod that asks no cluster DNS does not wait for it', () => {
    const services = { api: both.api, dns: service(undefined) };
    expect(toRedirection('required', services, { needsDns: false })).toEqual({
      ok: true,
      value: { api: { host: '10.0.0.1', port: 6443 } },
    });
  });
});
