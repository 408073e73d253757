import { describe, expect, test } from 'vitest';
import type { Service } from '../contract/cluster-kinds.ts';
import { toApiVariables, toServiceVariables } from './service-variables.ts';

const lines = (variables: ReturnType<typeof toServiceVariables>): readonly string[] =>
  variables.map(({ name, value }) => `${name}=${value ?? ''}`);

const service = (name: string, spec: Service['spec'] = {}): Service => ({
  metadata: { namespace: 'default', name },
  spec,
});

describe("W5: the variables of V's Services", () => {
  test('are those that a kubelet sets, link by link', () => {
    const ports = [
      { name: 'http', port: 80, protocol: 'TCP' },
      { name: 'dns-udp', port: 53, protocol: 'UDP' },
    ];
    expect(lines(toServiceVariables([service('my-db', { clusterIP: '10.96.0.5', ports })]))).toEqual([
      'MY_DB_SERVICE_HOST=10.96.0.5',
      'MY_DB_SERVICE_PORT=80',
      'MY_DB_SERVICE_PORT_HTTP=80',
      'MY_DB_SERVICE_PORT_DNS_UDP=53',
      'MY_DB_PORT=tcp://10.96.0.5:80',
      'MY_DB_PORT_80_TCP=tcp://10.96.0.5:80',
      'MY_DB_PORT_80_TCP_PROTO=tcp',
      'MY_DB_PORT_80_TCP_PORT=80',
      'MY_DB_PORT_80_TCP_ADDR=10.96.0.5',
      'MY_DB_PORT_53_UDP=udp://10.96.0.5:53',
      'MY_DB_PORT_53_UDP_PROTO=udp',
      'MY_DB_PORT_53_UDP_PORT=53',
      'MY_DB_PORT_53_UDP_ADDR=10.96.0.5',
    ]);
  });

  test('come in the order of names, and not at all of Services without an address', () => {
    const ports = [{ port: 80 }];
    const all = [
      service('b', { clusterIP: '10.96.0.2', ports }),
      service('headless', { clusterIP: 'None', ports }),
      service('elsewhere', { ports }),
      service('a', { clusterIP: 'fd00::1', ports }),
    ];
    const found = lines(toServiceVariables(all));
    expect(found.filter((line) => line.includes('_HOST='))).toEqual([
      'A_SERVICE_HOST=fd00::1',
      'B_SERVICE_HOST=10.96.0.2',
    ]);
    expect(found).toContain('A_PORT=tcp://[fd00::1]:80');
  });

  test('of the API server name the address under which it is reached from P', () => {
    expect(lines(toApiVariables({ host: '10.0.0.1', port: 6443 }))).toEqual([
      'KUBERNETES_SERVICE_HOST=10.0.0.1',
      'KUBERNETES_SERVICE_PORT=6443',
      'KUBERNETES_SERVICE_PORT_HTTPS=6443',
      'KUBERNETES_PORT=tcp://10.0.0.1:6443',
      'KUBERNETES_PORT_6443_TCP=tcp://10.0.0.1:6443',
      'KUBERNETES_PORT_6443_TCP_PROTO=tcp',
      'KUBERNETES_PORT_6443_TCP_PORT=6443',
      'KUBERNETES_PORT_6443_TCP_ADDR=10.0.0.1',
    ]);
  });
});
