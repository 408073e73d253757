import { describe, expect, test } from 'vitest';
import { createPhysicalName } from '../contract/names.ts';
import type { Container, Pod, PodSpec } from '../contract/pod.ts';
import { translatePod } from './translate-pod.ts';
import type { PodContext } from './translate-pod.ts';

const context: PodContext = {
  identity: { clusterId: 'cls-a', virtualCluster: 'uid-v' },
  physicalName: createPhysicalName(),
  mountNamespace: 'mount',
  physicalNode: 'node-1',
  directScheduling: false,
  priorityClassName: 'kubeocean-default',
  workload: { type: 'pod' },
  redirection: {},
  clusterDomain: 'cluster.local',
};
const redirected = { ...context, redirection: { api: { host: '10.0.0.1', port: 6443 }, dns: { ip: '10.0.0.2' } } };

const main: Container = { name: 'main', image: 'nginx' };

function podWith(spec: Partial<PodSpec> = {}, metadata: Pod['metadata'] = {}): Pod {
  return {
    metadata: { namespace: 'default', name: 'my-app', uid: 'uid-pod', ...metadata },
    spec: { nodeName: 'vnode-cls-a-node-1', containers: [main], ...spec },
  };
}

function translated(pod: Pod, given: PodContext = context): Pod {
  const result = translatePod(pod, given);
  if (!result.ok) throw new Error(result.message);
  return result.value;
}

const specOf = (spec: Partial<PodSpec>, given?: PodContext): PodSpec => translated(podWith(spec), given).spec;
const envOf = (container: Container, given?: PodContext): Container['env'] =>
  specOf({ containers: [container] }, given).containers[0]?.env;
const hostname = { name: 'HOSTNAME', value: 'my-app' };

describe("the way to V's API server and DNS", () => {
  const host = { name: 'KUBERNETES_SERVICE_HOST', value: '10.0.0.1' };
  const port = { name: 'KUBERNETES_SERVICE_PORT', value: '6443' };
  const environments = [
    { name: 'an empty environment gets three variables', env: [], becomes: [host, port, hostname] },
    {
      name: 'they come after those that are there',
      env: [{ name: 'A', value: '1' }],
      becomes: [{ name: 'A', value: '1' }, host, port, hostname],
    },
    {
      name: 'a value of the user is overwritten in its place',
      env: [
        { name: 'KUBERNETES_SERVICE_HOST', value: 'x' },
        { name: 'A', value: '1' },
      ],
      becomes: [host, { name: 'A', value: '1' }, port, hostname],
    },
    {
      name: 'a reference of the user is overwritten',
      env: [{ name: 'HOSTNAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
      becomes: [hostname, host, port],
    },
  ];
  for (const { name, env, becomes } of environments) {
    test(name, () => expect(envOf({ ...main, env }, redirected)).toEqual(becomes));
  }

  test('init containers get them, too, also where there are no others', () => {
    const spec = specOf({ containers: [], initContainers: [main] }, redirected);
    expect(spec.containers).toEqual([]);
    expect(spec.initContainers?.[0]?.env).toEqual([host, port, hostname]);
  });

  test('the API server has its usual names, beside those the user gave', () => {
    const own = { ip: '1.2.3.4', hostnames: ['x'] };
    expect(specOf({ hostAliases: [own] }, redirected).hostAliases).toEqual([
      own,
      {
        ip: '10.0.0.1',
        hostnames: [
          'kubernetes.default.svc',
          'kubernetes.default',
          'kubernetes',
          'kubernetes.default.svc.cluster.local',
        ],
      },
    ]);
  });

  test('W13: an API server that has a name alone is found by it', () => {
    const byName = { ...redirected, redirection: { api: { host: 'api.example.com', port: 443 } } };
    const spec = specOf({}, byName);
    expect(spec.hostAliases).toEqual([]);
    expect(spec.containers[0]?.env?.[0]).toEqual({ name: 'KUBERNETES_SERVICE_HOST', value: 'api.example.com' });
  });

  for (const dnsPolicy of ['ClusterFirst', 'ClusterFirstWithHostNet']) {
    test(`${dnsPolicy} asks V's DNS`, () => {
      expect(specOf({ dnsPolicy }, redirected)).toMatchObject({
        dnsPolicy: 'None',
        dnsConfig: {
          nameservers: ['10.0.0.2'],
          searches: ['default.svc.cluster.local', 'svc.cluster.local', 'cluster.local'],
          options: [{ name: 'ndots', value: '5' }],
        },
      });
    });
  }

  for (const dnsPolicy of ['Default', 'None']) {
    test(`${dnsPolicy} stays as it is`, () => {
      const dnsConfig = { nameservers: ['9.9.9.9'] };
      expect(specOf({ dnsPolicy, dnsConfig }, redirected)).toMatchObject({ dnsPolicy, dnsConfig });
    });
  }

  test('W13: of the nameservers of a user as many are kept as a server takes', () => {
    const nameservers = ['9.9.9.9', '8.8.8.8', '1.1.1.1'];
    expect(specOf({ dnsConfig: { nameservers } }, redirected).dnsConfig?.nameservers).toEqual([
      '10.0.0.2',
      '9.9.9.9',
      '8.8.8.8',
    ]);
  });

  test('W13: what the user configured is kept, and the domain is a choice', () => {
    const dnsConfig = { nameservers: ['9.9.9.9'], searches: ['corp'], options: [{ name: 'ndots', value: '2' }] };
    expect(specOf({ dnsConfig }, { ...redirected, clusterDomain: 'my.domain' }).dnsConfig).toEqual({
      nameservers: ['10.0.0.2', '9.9.9.9'],
      searches: ['default.svc.my.domain', 'svc.my.domain', 'my.domain', 'corp'],
      options: [{ name: 'ndots', value: '2' }],
    });
  });
});
