import { describe, expect, test } from 'vitest';
import type { Refs } from '../../engine/l2-controllers/contributor.ts';
import type { Service } from '../../refs/builtin-kinds.ts';
import type { Ingress, IngressPath } from '../../refs/ingress/ingress-kinds.ts';
import { readAnnotations } from '../../refs/origins/annotations.ts';
import { dnsRecordNames } from '../../refs/tunnels/dns-record-names.ts';
import { hostsOf, toRules } from './rules.ts';
import type { IngressRules } from './rules.ts';

type Port = NonNullable<NonNullable<Service['spec']>['ports']>[number];

function service(name: string, ports: readonly Port[], more: Partial<NonNullable<Service['spec']>> = {}): Service {
  return { metadata: { name, namespace: 'shop' }, spec: { ports, ...more } };
}

type Given = {
  readonly services?: readonly Service[];
  readonly annotations?: Readonly<Record<string, string>>;
  readonly classDefault?: string;
  readonly classOptions?: Readonly<Record<string, string>>;
};

function rulesOf(spec: Ingress['spec'], given: Given = {}): IngressRules {
  const services = given.services ?? [service('web', [{ port: 80 }])];
  const get = ((_kind: unknown, { name }: { readonly name: string }) =>
    services.find(({ metadata }) => metadata.name === name)) as Refs['get'];
  const ingress: Ingress = { metadata: { name: 'shop', namespace: 'shop' }, ...(spec && { spec }) };
  const { classDefault = 'http', classOptions = {} } = given;
  const wishes = readAnnotations(given.annotations);
  return toRules(ingress, { namespace: 'shop', wishes, classDefault, classOptions, refs: { get } });
}

const web = { service: { name: 'web', port: { number: 80 } } };
const toWeb: IngressPath = { path: '/', pathType: 'Prefix', backend: web };
const site = 'http://web.shop.svc:80';

describe('the rules of an Ingress', () => {
  test('have host in lower case, anchored path and the address of the Service', () => {
    const paths: readonly IngressPath[] = [
      { path: '/api', pathType: 'Prefix', backend: web },
      { path: '/health', pathType: 'Exact', backend: web },
      toWeb,
    ];
    expect(rulesOf({ rules: [{ host: 'App.example.com', http: { paths } }] }).rules).toEqual([
      { hostname: 'app.example.com', path: '^/api(/|$)', service: site },
      { hostname: 'app.example.com', path: '^/health$', service: site },
      { hostname: 'app.example.com', service: site },
    ]);
  });

  test('without a host are for every host, and the default backend is the catch-all', () => {
    const health: IngressPath = { path: '/health', pathType: 'Exact', backend: web };
    expect(rulesOf({ rules: [{ http: { paths: [health] } }], defaultBackend: web }).rules).toEqual([
      { path: '^/health$', service: site },
      { service: site },
    ]);
  });

  test('send a host without paths to the default backend', () => {
    const rules = [{ host: 'app.example.com' }];
    expect(rulesOf({ rules, defaultBackend: web }).rules).toEqual([
      { hostname: 'app.example.com', service: site },
      { service: site },
    ]);
    expect(rulesOf({ rules }).rules).toEqual([]);
  });

  test('carry the options of the class, and over them those of the annotations', () => {
    const annotations = { 'cloudflare.com/http-host-header': 'own' };
    const classOptions = { httpHostHeader: 'class', originServerName: 'sni' };
    expect(rulesOf({ defaultBackend: web }, { annotations, classOptions }).rules).toEqual([
      { service: site, originRequest: { httpHostHeader: 'own', originServerName: 'sni' } },
    ]);
  });
});

describe('a backend', () => {
  const cases: readonly {
    readonly name: string;
    readonly ports?: readonly Port[];
    readonly more?: Partial<NonNullable<Service['spec']>>;
    readonly port?: { readonly name?: string; readonly number?: number };
    readonly is: string;
    readonly problem?: string;
  }[] = [
    {
      name: 'by port name',
      ports: [{ port: 8080, name: 'main' }],
      port: { name: 'main' },
      is: 'http://web.shop.svc:8080',
    },
    { name: 'without a port: the first', ports: [{ port: 81 }, { port: 82 }], is: 'http://web.shop.svc:81' },
    {
      name: 'by a port that the Service lacks',
      ports: [{ port: 81 }],
      port: { number: 80 },
      is: 'http_status:503',
      problem: 'Service shop/web has no port 80',
    },
    {
      name: 'by a port name that the Service lacks',
      ports: [{ port: 81 }],
      port: { name: 'x' },
      is: 'http_status:503',
      problem: 'Service shop/web has no port x',
    },
    {
      name: 'that is another name for an outside host',
      ports: [],
      more: { type: 'ExternalName', externalName: 'api.example.org' },
      port: { number: 443 },
      is: 'https://api.example.org:443',
    },
  ];
  for (const { name, ports, more, port, is, problem } of cases) {
    test(name, () => {
      const services = [service('web', ports ?? [], more)];
      const backend = { service: { name: 'web', ...(port && { port }) } };
      expect(rulesOf({ defaultBackend: backend }, { services })).toEqual({
        rules: [{ service: is }],
        problems: problem === undefined ? [] : [problem],
      });
    });
  }

  test('whose Service is missing answers 503 and says so once', () => {
    const paths = [toWeb, { ...toWeb, path: '/x' }];
    expect(rulesOf({ rules: [{ host: 'a.example.com', http: { paths } }] }, { services: [] })).toEqual({
      rules: [
        { hostname: 'a.example.com', service: 'http_status:503' },
        { hostname: 'a.example.com', path: '^/x(/|$)', service: 'http_status:503' },
      ],
      problems: ['Service shop/web is not there'],
    });
  });

  test('that is no Service answers 503', () => {
    const { rules, problems } = rulesOf({ defaultBackend: { resource: { kind: 'Bucket', name: 'b' } } });
    expect([rules, problems.length]).toEqual([[{ service: 'http_status:503' }], 1]);
  });
});

describe('the protocol, by the first that tells', () => {
  const own = { 'cloudflare.com/protocol': 'tcp' };
  const forPort = { 'cloudflare.com/protocol-80': 'https' };
  const cases: readonly (readonly [string, Port, Given, string])[] = [
    ['annotation of the Ingress', { port: 80, appProtocol: 'https' }, { annotations: { ...forPort, ...own } }, 'tcp'],
    ['annotation for the port', { port: 80, appProtocol: 'ws' }, { annotations: forPort }, 'https'],
    ['appProtocol', { port: 80, appProtocol: 'HTTPS', name: 'http' }, {}, 'https'],
    ['appProtocol grpc', { port: 80, appProtocol: 'grpc' }, {}, 'http'],
    ['appProtocol kubernetes.io/wss', { port: 80, appProtocol: 'kubernetes.io/wss' }, {}, 'wss'],
    ['name of the port', { port: 80, name: 'https-api' }, {}, 'https'],
    ['name websocket', { port: 80, name: 'websocket' }, {}, 'ws'],
    ['a name that says nothing, then the class', { port: 80, name: 'main' }, { classDefault: 'ssh' }, 'ssh'],
    ['an unknown appProtocol, then the number', { port: 443, appProtocol: 'mysql' }, {}, 'https'],
    ['number 22', { port: 22 }, {}, 'ssh'],
    ['number 3389', { port: 3389 }, {}, 'rdp'],
    ['number 445', { port: 445 }, {}, 'smb'],
    ['nothing', { port: 8080 }, {}, 'http'],
  ];
  for (const [name, port, given, scheme] of cases) {
    test(`${name}: ${scheme}`, () => {
      const backend = { service: { name: 'web', port: { number: port.port } } };
      const { rules } = rulesOf({ defaultBackend: backend }, { ...given, services: [service('web', [port])] });
      expect(rules[0]?.service).toBe(`${scheme}://web.shop.svc:${port.port}`);
    });
  }

  test('the annotation of the Service comes before its ports', () => {
    const annotated = { ...service('web', [{ port: 80, name: 'http' }]) };
    const services = [{ ...annotated, metadata: { ...annotated.metadata, annotations: own } }];
    expect(rulesOf({ defaultBackend: web }, { services }).rules[0]?.service).toBe('tcp://web.shop.svc:80');
  });

  for (const name of ['h2c', 'kubernetes.io/h2c']) {
    test(`${name} is HTTP with an option, for cloudflared knows no such scheme`, () => {
      const services = [service('web', [{ port: 80, appProtocol: name }])];
      expect(rulesOf({ defaultBackend: web }, { services }).rules).toEqual([
        { service: site, originRequest: { http2Origin: true } },
      ]);
    });
  }

  test('bastion is a service of its own', () => {
    const annotations = { 'cloudflare.com/protocol': 'bastion' };
    expect(rulesOf({ defaultBackend: web }, { annotations }).rules).toEqual([
      { service: 'bastion', originRequest: { bastionMode: true } },
    ]);
  });
});

test('the hosts of an Ingress are those of its rules and of its certificates, each once', () => {
  const rules = [{ host: 'A.example.com' }, {}, { host: '*.example.com' }];
  const tls = [{ hosts: ['a.example.com', 'tls.example.com'] }, {}];
  expect(hostsOf({ metadata: {}, spec: { rules, tls } })).toEqual([
    'a.example.com',
    '*.example.com',
    'tls.example.com',
  ]);
});

test('DNSRecords are named after Ingress and host, and never alike', () => {
  const hosts = ['a-b.example.com', 'a.b.example.com', `${'x'.repeat(60)}.example.com`];
  const names = [...dnsRecordNames('shop', hosts).values()];
  expect(names[0]).toBe('shop-a-b-example-com');
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/);
});
