import { eventKind } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { afterEach, describe, expect, test } from 'vitest';
import { dnsRecordKind } from '../refs/dns-record-kind.ts';
import { ingressKind } from '../refs/ingress/ingress-kinds.ts';
import { cloudflareDomainKind } from '../kinds/cloudflare-domain/resource.ts';
import { tunnelIngressClassConfigKind } from '../kinds/tunnel-ingress-class-config/resource.ts';
import { ingress, ingressClass, service } from './testing/ingress-objects.ts';
import { createTunnelWorld } from './testing/tunnel-world.ts';
import type { TunnelWorld } from './testing/tunnel-world.ts';

let world: TunnelWorld | undefined;
afterEach(async () => world?.stop());

async function start(classFields: object = {}, more: readonly KubeObject[] = []): Promise<TunnelWorld> {
  world = await createTunnelWorld({}, classFields, more);
  return world;
}

const web = 'http://web.default.svc:80';
const ref = (name: string) => ({ namespace: 'default', name });

function eventsOf(made: TunnelWorld, name: string): readonly string[] {
  return made
    .list(eventKind)
    .map(
      (event) =>
        event as unknown as {
          regarding?: Named;
          involvedObject?: Named;
          reason: string;
          note?: string;
          message?: string;
        },
    )
    .filter(({ regarding, involvedObject }) => (regarding ?? involvedObject)?.name === name)
    .map(({ reason, note, message }) => `${reason}: ${note ?? message ?? ''}`);
}
type Named = { readonly name?: string };

type DnsAnswer = {
  readonly body: {
    readonly result: readonly {
      readonly name: string;
      readonly type: string;
      readonly content: string;
      readonly proxied: boolean;
    }[];
  };
};

function cnames({ sim, tunnelId }: TunnelWorld): readonly string[] {
  const target = `${tunnelId()}.cfargotunnel.com`;
  const zones = sim.zones.map(({ id }) => sim.dashboard('GET', `/zones/${id}/dns_records`) as DnsAnswer);
  return zones
    .flatMap(({ body }) => body.result)
    .filter(({ type, content }) => type === 'CNAME' && content === target)
    .map(({ name, proxied }) => `${name}${proxied ? '' : ' (not proxied)'}`)
    .toSorted();
}

function domain(name: string): KubeObject {
  const metadata = { name: name.replaceAll('.', '-') };
  const spec = { domain: name };
  return {
    apiVersion: 'networking.cloudflare-operator.io/v1alpha2',
    kind: 'CloudflareDomain',
    metadata,
    spec,
  } as KubeObject;
}

function editTunnel({ sim, tunnelId }: TunnelWorld, ruleList: readonly object[]): void {
  const path = `/accounts/${sim.accountId}/cfd_tunnel/${tunnelId()}/configurations`;
  sim.dashboard('PUT', path, { config: { ingress: ruleList } });
}

describe('the class of an Ingress', () => {
  test('is claimed by the spec, by the older annotation and by default, and by nothing else', async () => {
    const made = await start();
    const [, ofOurs] = ingressClass('standard');
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    const [config] = ingressClass('standard');
    const byAnnotation = ingress('old', { annotations: { 'kubernetes.io/ingress.class': 'cloudflare' } });
    const unclassed = (given: KubeObject): KubeObject =>
      ({
        ...given,
        spec: { ...(given as unknown as { spec: object }).spec, ingressClassName: undefined },
      }) as KubeObject;
    await made.apply([config as KubeObject, { ...ofOurs, metadata: { name: 'standard', annotations } }]);
    await made.apply([ingress('named'), unclassed(byAnnotation), unclassed(ingress('plain'))]);
    await made.apply({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'nginx' },
      spec: { controller: 'k8s.io/ingress-nginx' },
    } as KubeObject);
    await made.apply(ingress('other', { className: 'nginx' }));
    await made.clock.advance(5000);
    expect(made.routes()).toEqual([
      `named.example.com → ${web}`,
      `old.example.com → ${web}`,
      `plain.example.com → ${web}`,
    ]);
    expect(made.get(ingressKind, ref('other'))?.metadata.finalizers).toBeUndefined();
  });

  test('can be left: the rules go, and the finalizer with them', async () => {
    const made = await start();
    await made.apply(ingress('app'));
    await made.waitFor(() => made.routes().length === 1);
    const metadata = { name: 'nginx' };
    const spec = { controller: 'k8s.io/ingress-nginx' };
    await made.apply({ apiVersion: 'networking.k8s.io/v1', kind: 'IngressClass', metadata, spec } as KubeObject);
    await made.apply(ingress('app', { className: 'nginx' }));
    await made.waitFor(() => made.routes().length === 0);
    await made.waitFor(() => (made.get(ingressKind, ref('app'))?.metadata.finalizers ?? []).length === 0);
    expect(made.get(ingressKind, ref('app'))).toBeDefined();
  });

  test('covers the namespaces that it names, and counts its Ingresses', async () => {
    const made = await start({ watchNamespaces: ['elsewhere'] });
    await made.apply(ingress('app'));
    await made.clock.advance(5000);
    expect(made.routes()).toEqual([]);
    await made.apply(ingressClass('cloudflare', { watchNamespaces: ['default'] }));
    await made.waitFor(() => made.routes().length === 1);
    const at = { namespace: 'cloudflare-operator-system', name: 'cloudflare' };
    await made.waitFor(() => made.get(tunnelIngressClassConfigKind, at)?.status?.ingressCount === 1);
    expect(made.get(tunnelIngressClassConfigKind, at)?.status).toMatchObject({
      state: 'active',
      tunnelId: made.tunnelId(),
      tunnelName: 'edge',
      conditions: [{ type: 'Ready', status: 'True', reason: 'Reconciled' }],
    });
  });

  test('without settings says what is missing, and keeps what was there', async () => {
    const made = await start();
    await made.apply(ingress('app'));
    await made.waitFor(() => made.routes().length === 1);
    await made.delete(tunnelIngressClassConfigKind, { namespace: 'cloudflare-operator-system', name: 'cloudflare' });
    await made.waitFor(() => eventsOf(made, 'app').some((text) => text.startsWith('ConfigError')));
    expect(made.routes()).toHaveLength(1);
    await made.delete(ingressKind, ref('app'));
    await made.waitFor(() => !made.get(ingressKind, ref('app')));
    expect(made.routes()).toEqual([]);
  });
});

describe('DNS', () => {
  test('Automatic makes a record in the zone of each host, and takes it away with the host', async () => {
    const made = await start({ dnsManagement: 'Automatic' }, []);
    await made.apply(['example.com', 'example.net'].map(domain));
    await made.apply([
      ingress('one'),
      ingress('two', { host: 'two.example.net', annotations: { 'cloudflare.com/dns-proxied': 'false' } }),
    ]);
    await made.waitFor(() => cnames(made).length === 2);
    expect(cnames(made)).toEqual(['one.example.com', 'two.example.net (not proxied)']);
    await made.apply(ingress('one', { host: 'moved.example.com' }));
    await made.waitFor(() => cnames(made).includes('moved.example.com') && cnames(made).length === 2);
    await made.apply(
      ingress('two', { host: 'two.example.net', annotations: { 'cloudflare.com/disable-dns': 'true' } }),
    );
    await made.waitFor(() => cnames(made).length === 1);
    await made.delete(ingressKind, ref('one'));
    await made.waitFor(() => cnames(made).length === 0);
  });

  test('a host without a zone is told, and its rule works all the same', async () => {
    const made = await start({ dnsManagement: 'Automatic' });
    await made.apply(ingress('app', { host: 'app.example.org' }));
    await made.waitFor(() => made.routes().length === 1);
    await made.waitFor(() => eventsOf(made, 'app').some((text) => text.startsWith('DNSError: app.example.org')));
    expect(cnames(made)).toEqual([]);
  });

  test('a domain that vanishes takes no record with it', async () => {
    const made = await start({ dnsManagement: 'Automatic' });
    await made.apply(domain('example.com'));
    await made.apply(ingress('app'));
    await made.waitFor(() => cnames(made).length === 1);
    await made.delete(cloudflareDomainKind, { name: 'example-com' });
    await made.apply(ingress('app', { annotations: { 'cloudflare.com/priority': '90' } }));
    await made.clock.advance(20_000);
    expect(cnames(made)).toEqual(['app.example.com']);
  });

  test('DNSRecord makes objects of the cluster; Manual takes them away again', async () => {
    const made = await start({ dnsManagement: 'DNSRecord' });
    await made.apply(domain('example.com'));
    await made.apply(ingress('app'));
    await made.waitFor(() => cnames(made).length === 1);
    const [record] = made.list(dnsRecordKind);
    expect(record).toMatchObject({
      metadata: {
        name: 'app-app-example-com',
        labels: { 'cloudflare.com/managed-by': 'cloudflare-operator-ingress', 'cloudflare.com/ingress-name': 'app' },
      },
      spec: { name: 'app.example.com', type: 'CNAME', proxied: true },
    });
    await made.apply(ingressClass('cloudflare', { dnsManagement: 'Manual' }));
    await made.waitFor(() => cnames(made).length === 0 && made.list(dnsRecordKind).length === 0);
    await made.apply(ingressClass('cloudflare', { dnsManagement: 'Automatic' }));
    await made.waitFor(() => cnames(made).length === 1);
  });
});

describe('what a person hears', () => {
  test('is the annotation that was not understood, with its value', async () => {
    const made = await start();
    await made.apply(ingress('app', { annotations: { 'cloudflare.com/connect-timeout': 'soon' } }));
    await made.waitFor(() =>
      eventsOf(made, 'app').includes(
        'InvalidAnnotation: cloudflare.com/connect-timeout: "soon" is not a duration such as 30s',
      ),
    );
    expect(made.routes()).toHaveLength(1);
  });

  test('is the Service that is missing, until it comes', async () => {
    const made = await start();
    await made.apply(ingress('app', { backend: 'late' }));
    await made.waitFor(() => made.routes().join() === 'app.example.com → http_status:503');
    await made.waitFor(() => eventsOf(made, 'app').some((text) => text.includes('Service default/late is not there')));
    await made.apply(service('late'));
    await made.waitFor(() => made.routes().join() !== 'app.example.com → http_status:503');
    expect(made.routes()).toEqual(['app.example.com → http://late.default.svc:80']);
  });

  test('is who has a host that two ask for: by Event and by annotation, until it is free', async () => {
    const made = await start();
    await made.apply(ingress('first', { host: 'shared.example.com' }));
    await made.waitFor(() => made.routes().length === 1);
    await made.clock.advance(2000);
    await made.apply([service('other'), ingress('second', { host: 'shared.example.com', backend: 'other' })]);
    await made.waitFor(() => eventsOf(made, 'second').some((text) => text.includes('goes to Ingress/default/first')));
    expect(made.routes()).toEqual([`shared.example.com → ${web}`]);
    const lost = (): string | undefined =>
      made.get(ingressKind, ref('second'))?.metadata.annotations?.['cloudflare-operator.io/lost-rules'];
    await made.waitFor(() => lost() === 'shared.example.com → Ingress/default/first');
    await made.delete(ingressKind, ref('first'));
    await made.waitFor(() => made.routes().join() === 'shared.example.com → http://other.default.svc:80');
    await made.waitFor(() => lost() === undefined);
  });

  test('a priority turns the answer round', async () => {
    const made = await start();
    await made.apply(ingress('first', { host: 'shared.example.com' }));
    await made.waitFor(() => made.routes().length === 1);
    const annotations = { 'cloudflare.com/priority': '50' };
    await made.apply([
      service('other'),
      ingress('second', { host: 'shared.example.com', backend: 'other', annotations }),
    ]);
    await made.clock.advance(5000);
    expect(made.routes()).toEqual(['shared.example.com → http://other.default.svc:80']);
  });

  test('a wildcard covers more at a tunnel than an Ingress means', async () => {
    const made = await start();
    await made.apply(ingress('app', { host: '*.example.com' }));
    await made.clock.advance(5000);
    expect(eventsOf(made, 'app')).toEqual([
      'WildcardHost: tunnel edge serves *.example.com at every depth; an Ingress means one label only',
    ]);
  });
});

test('rules that a person made at the dashboard stay through every change and the end', async () => {
  const made = await start();
  const theirs = {
    hostname: 'theirs.example.com',
    service: 'http://10.0.0.1:80',
    originRequest: { bastionMode: true },
  };
  editTunnel(made, [theirs, { service: 'http_status:404' }]);
  await made.apply([ingress('app'), ingress('zoo')]);
  await made.waitFor(() => made.routes().length === 3);
  expect(made.rules()[1]).toEqual(theirs);
  await made.delete(ingressKind, ref('app'));
  await made.waitFor(() => made.routes().length === 2);
  await made.delete(ingressKind, ref('zoo'));
  await made.waitFor(() => made.routes().length === 1);
  expect(made.rules()[0]).toEqual(theirs);
});
