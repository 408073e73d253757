import { describe, expect, test } from 'vitest';
import { makeTunnel } from '../../testing/make-tunnel.ts';
import { startTestSim } from '../../testing/start-test-sim.ts';

const catchAll = { service: 'http_status:404' };

describe('the configuration of a tunnel', () => {
  test('is empty with version 0 before the first PUT, or an error where the simulator is told so; a local tunnel has none', async () => {
    const world = await startTestSim();
    expect((await world.call('GET', `${(await makeTunnel(world)).path}/configurations`)).result).toMatchObject({
      version: 0,
      config: null,
    });
    expect(
      await world.call('GET', `${(await makeTunnel(world, { name: 'l', config_src: 'local' })).path}/configurations`),
    ).toMatchObject({ status: 404, codes: [1055] });
    const strict = await startTestSim({ unconfiguredTunnel: 'error' });
    expect(await strict.call('GET', `${(await makeTunnel(strict)).path}/configurations`)).toMatchObject({
      status: 404,
      codes: [1055],
    });
  });

  test('is replaced as a whole, each time with a new version, and read back with empty blocks', async () => {
    const world = await startTestSim();
    const { path, id } = await makeTunnel(world);
    const rule = { hostname: 'a.example.com', service: 'http://localhost:80', originRequest: { noTLSVerify: true } };
    const config = { ingress: [rule, catchAll], originRequest: { connectTimeout: 5 } };
    const stored = {
      ingress: [rule, { ...catchAll, originRequest: {} }],
      originRequest: { connectTimeout: 5 },
      'warp-routing': { enabled: false },
    };
    expect((await world.call('PUT', `${path}/configurations`, { config })).result).toMatchObject({
      tunnel_id: id,
      version: 1,
      config: stored,
      source: 'cloudflare',
    });
    expect((await world.call('PUT', `${path}/configurations`, { config })).result.version).toBe(2);
    expect((await world.call('GET', `${path}/configurations`)).result).toMatchObject({ version: 2, config: stored });
  });

  test('makes a local tunnel a remote one', async () => {
    const world = await startTestSim();
    const { path } = await makeTunnel(world, { config_src: 'local' });
    await world.call('PUT', `${path}/configurations`, { config: { ingress: [] } });
    expect((await world.call('GET', path)).result).toMatchObject({ config_src: 'cloudflare' });
  });

  const service = 'http://localhost';
  const good = [
    [{ hostname: '*.example.com', service }, catchAll],
    [
      { hostname: '*', path: '/a', service },
      { hostname: '*', service },
    ],
    [{ hostname: 'a.b', path: '^/(?i)x(?P<n>[[:alpha:]]+)\\z', service }, catchAll],
    ...[
      'https://a:443',
      'tcp://a:1',
      'ssh://a',
      'rdp://a',
      'smb://a',
      'unix:/s',
      'unix+tls:/s',
      'http_status:999',
      'hello_world',
      'bastion',
      'socks-proxy',
      'http://[::1]:80',
    ].map((name) => [{ service: name }]),
  ];
  for (const ingress of good) {
    test(`takes ${JSON.stringify(ingress)}`, async () => {
      const world = await startTestSim();
      const { path } = await makeTunnel(world);
      expect(await world.call('PUT', `${path}/configurations`, { config: { ingress } })).toMatchObject({
        status: 200,
        codes: [],
      });
    });
  }

  const bad: readonly { name: string; config: unknown }[] = [
    { name: 'a last rule with a host', config: { ingress: [{ hostname: 'a.b', service }] } },
    { name: 'a last rule with a path', config: { ingress: [{ path: '/a', service }] } },
    { name: 'a catch-all before the end', config: { ingress: [{ hostname: '*', service }, catchAll] } },
    { name: 'a wildcard inside a host', config: { ingress: [{ hostname: 'a.*.b', service }, catchAll] } },
    { name: 'two wildcards', config: { ingress: [{ hostname: '*.*.b', service }, catchAll] } },
    { name: 'a wildcard within a label', config: { ingress: [{ hostname: '*a.b', service }, catchAll] } },
    { name: 'a host with a port', config: { ingress: [{ hostname: 'a.b:80', service }, catchAll] } },
    { name: 'a broken expression', config: { ingress: [{ path: '(', service }, catchAll] } },
    { name: 'an expression that Go does not have', config: { ingress: [{ path: '(?=a)', service }, catchAll] } },
    {
      name: 'a reference back, which Go does not have',
      config: { ingress: [{ path: String.raw`(a)\1`, service }, catchAll] },
    },
    { name: 'a service with a path', config: { ingress: [{ service: 'http://a/b' }] } },
    { name: 'a service with a lone slash', config: { ingress: [{ service: 'http://a/' }] } },
    { name: 'a service without a scheme', config: { ingress: [{ service: 'localhost' }] } },
    { name: 'a service without a host', config: { ingress: [{ service: 'http://' }] } },
    { name: 'no service', config: { ingress: [{}] } },
    { name: 'a status that is none', config: { ingress: [{ service: 'http_status:99' }] } },
    { name: 'a fraction of a second', config: { ingress: [{ ...catchAll, originRequest: { connectTimeout: 1.5 } }] } },
    { name: 'a duration as text', config: { ingress: [catchAll], originRequest: { tlsTimeout: '10s' } } },
    { name: 'rules that are no list', config: { ingress: {} } },
    { name: 'no configuration', config: undefined },
  ];
  for (const { name, config } of bad) {
    test(`refuses ${name}: 1056`, async () => {
      const world = await startTestSim();
      const { path } = await makeTunnel(world);
      expect(await world.call('PUT', `${path}/configurations`, { config })).toMatchObject({
        status: 400,
        codes: [1056],
      });
      expect((await world.call('GET', `${path}/configurations`)).result.version).toBe(0);
    });
  }
});
