import { describe, expect, test } from 'vitest';
import type { Listener } from './gateway-kinds.ts';
import { judgeListeners } from './judge-listeners.ts';

function judge(...listeners: readonly Partial<Listener>[]) {
  const whole = listeners.map((listener, index) => ({ name: `l${index}`, port: 80, protocol: 'HTTP', ...listener }));
  return judgeListeners({ metadata: {}, spec: { listeners: whole } });
}

describe('protocols', () => {
  test.each([
    ['HTTP', {}, 'Accepted', ['HTTPRoute', 'GRPCRoute']],
    ['HTTPS', {}, 'Accepted', ['HTTPRoute', 'GRPCRoute']],
    ['TCP', {}, 'Accepted', ['TCPRoute']],
    ['UDP', {}, 'UnsupportedProtocol', []],
    ['TLS', { tls: { mode: 'Passthrough' } }, 'UnsupportedProtocol', []],
    ['HTTPS', { tls: { mode: 'Passthrough' } }, 'UnsupportedProtocol', ['HTTPRoute', 'GRPCRoute']],
    ['HTTPS', { tls: { frontendValidation: {} } }, 'UnsupportedProtocol', ['HTTPRoute', 'GRPCRoute']],
    ['example.com/odd', {}, 'UnsupportedProtocol', []],
  ])('%s %j: %s', (protocol, more, reason, kinds) => {
    const [judged] = judge({ protocol, ...more });
    expect(judged).toMatchObject({ accepted: { holds: reason === 'Accepted', reason }, routeKinds: kinds });
    expect(judged?.usable).toBe(reason === 'Accepted');
  });
});

describe('the kinds of routes that a listener names', () => {
  test.each([
    ['one that it can have', [{ kind: 'HTTPRoute' }], ['HTTPRoute'], 'ResolvedRefs'],
    ['with its group', [{ group: 'gateway.networking.k8s.io', kind: 'GRPCRoute' }], ['GRPCRoute'], 'ResolvedRefs'],
    ['one that it cannot', [{ kind: 'TCPRoute' }], [], 'InvalidRouteKinds'],
    ['one of each', [{ kind: 'HTTPRoute' }, { kind: 'TCPRoute' }], ['HTTPRoute'], 'InvalidRouteKinds'],
    ['one of another group', [{ group: 'example.com', kind: 'HTTPRoute' }], [], 'InvalidRouteKinds'],
  ])('%s', (_name, kinds, left, reason) => {
    expect(judge({ allowedRoutes: { kinds } })[0]).toMatchObject({
      routeKinds: left,
      kindsResolved: { holds: reason === 'ResolvedRefs', reason },
      usable: true,
    });
  });
});

describe('listeners in each other’s way', () => {
  test.each([
    ['different ports', [{ port: 80 }, { port: 8080 }], 'NoConflicts'],
    ['different hosts', [{ hostname: 'a.example.com' }, { hostname: 'b.example.com' }], 'NoConflicts'],
    ['a host and none', [{ hostname: 'a.example.com' }, {}], 'NoConflicts'],
    ['the same host', [{ hostname: 'a.example.com' }, { hostname: 'A.example.com' }], 'HostnameConflict'],
    ['two protocols on one port', [{ hostname: 'a.b' }, { protocol: 'HTTPS' }], 'ProtocolConflict'],
  ])('%s', (_name, listeners, reason) => {
    const judged = judge(...listeners);
    expect(judged.map(({ conflicted }) => conflicted.reason)).toEqual([reason, reason]);
    expect(judged.map(({ usable }) => usable)).toEqual([reason === 'NoConflicts', reason === 'NoConflicts']);
  });
});
