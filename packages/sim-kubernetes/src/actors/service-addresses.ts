// The addresses of Services as objects of their own, and the network that they come from.
import { child, texts } from '../kinds/draft-fields.ts';
import type { Actor, ActorContext } from '../registry/actor.ts';
import type { JsonObject, StoredObject } from '../registry/json.ts';
import type { RestClient } from '../rest/rest-client.ts';
import { createKeyedWorker } from './keyed-worker.ts';

const services = { group: '', plural: 'services' };
const addresses = { group: 'networking.k8s.io', plural: 'ipaddresses' };
const networks = { group: 'networking.k8s.io', plural: 'servicecidrs' };

export function createServiceAddresses(onError?: (error: unknown) => void): Actor {
  return {
    name: 'service-addresses',
    program: 'kube-apiserver',
    start: (context) => {
      const { store, clock } = context;
      const worker = createKeyedWorker(clock, (address) => look(context, address), onError);
      const wake = (service: StoredObject | undefined): void => addressesOf(service).forEach((ip) => worker.add(ip));
      const stop = store.subscribe(services, ({ object, previous }) => {
        if (sameAddresses(object, previous) && object.metadata.uid === previous?.metadata.uid) return;
        wake(object);
        wake(previous);
      });
      const stopDeleted = store.subscribe(services, ({ type, object }) => {
        if (type === 'DELETED') wake(object);
      });
      store.list(services).forEach(wake);
      return () => {
        stop();
        stopDeleted();
        worker.stop();
      };
    },
  };
}

function addressesOf(service: StoredObject | undefined): readonly string[] {
  return texts(child(service, 'spec'), 'clusterIPs').filter((address) => address !== 'None');
}

function sameAddresses(a: StoredObject, b: StoredObject | undefined): boolean {
  return addressesOf(a).join() === addressesOf(b).join();
}

async function look({ store, client }: ActorContext, name: string): Promise<undefined> {
  const owner = store.list(services).find((service) => addressesOf(service).includes(name));
  const found = store.get(addresses, { name });
  if (owner === undefined) {
    if (found?.metadata.labels?.['ipaddress.kubernetes.io/managed-by'] === 'ipallocator.k8s.io') {
      await client.delete(addresses, { name });
    }
  } else if (found === undefined) await client.create(addresses, addressOf(name, owner));
}

function addressOf(name: string, { metadata }: StoredObject): JsonObject {
  const labels = {
    'ipaddress.kubernetes.io/ip-family': name.includes(':') ? 'IPv6' : 'IPv4',
    'ipaddress.kubernetes.io/managed-by': 'ipallocator.k8s.io',
  };
  const { namespace = '', name: owner } = metadata;
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'IPAddress',
    metadata: { name, labels },
    spec: { parentRef: { group: '', resource: 'services', namespace, name: owner } },
  };
}

/** The network of the cluster, ready as its controller would have made it. */
export async function seedServiceNetwork(client: RestClient, now: string): Promise<void> {
  const name = 'kubernetes';
  if (client.get(networks, { name }) !== undefined) return;
  await client.create(networks, {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'ServiceCIDR',
    metadata: { name, finalizers: ['networking.k8s.io/service-cidr-finalizer'] },
    spec: { cidrs: ['10.96.0.0/16'] },
  });
  const message = 'Kubernetes Service CIDR is ready';
  const ready = { type: 'Ready', status: 'True', lastTransitionTime: now, reason: '', message };
  const write = (draft: Record<string, unknown>): void => void (draft['status'] = { conditions: [ready] });
  await client.change(networks, { name }, write, { subresource: 'status' });
}
