// Every namespace has an account `default` and the certificate of the cluster.
import type { Actor, ActorContext } from '../registry/actor.ts';
import { isApiError } from '../registry/api-error.ts';
import type { Draft, JsonObject } from '../registry/json.ts';
import { child, text } from '../kinds/draft-fields.ts';
import type { RestClient } from '../rest/rest-client.ts';
import { createKeyedWorker } from './keyed-worker.ts';

const namespaces = { group: '', plural: 'namespaces' };
const accounts = { group: '', plural: 'serviceaccounts' };
const maps = { group: '', plural: 'configmaps' };
const caMap = 'kube-root-ca.crt';
const description =
  'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.';

export type ServiceAccountOptions = {
  /** The certificate of the authority behind the server's own, as PEM. */
  readonly rootCa: () => string;
  readonly onError?: (error: unknown) => void;
};

export function createServiceAccountController({ rootCa, onError }: ServiceAccountOptions): Actor {
  return {
    name: 'service-account-controller',
    start: (context) => {
      const { store, clock } = context;
      const worker = createKeyedWorker(clock, (name) => furnish(context, name, rootCa()), onError);
      const stops = [
        store.subscribe(namespaces, ({ type, object }) => {
          if (type !== 'DELETED') worker.add(object.metadata.name);
        }),
        store.subscribe(accounts, ({ type, object: { metadata } }) => {
          if (type === 'DELETED' && metadata.name === 'default') worker.add(metadata.namespace ?? '');
        }),
        store.subscribe(maps, ({ object: { metadata } }) => {
          if (metadata.name === caMap) worker.add(metadata.namespace ?? '');
        }),
      ];
      store.list(namespaces).forEach(({ metadata }) => worker.add(metadata.name));
      return () => {
        for (const stop of stops) stop();
        worker.stop();
      };
    },
  };
}

async function furnish({ store, client }: ActorContext, name: string, rootCa: string): Promise<undefined> {
  const namespace = store.get(namespaces, { name });
  if (namespace === undefined || text(child(namespace, 'status'), 'phase') !== 'Active') return;
  await furnishNamespace(client, name, rootCa);
}

/** Makes what is missing and mends the certificate. */
export async function furnishNamespace(client: RestClient, namespace: string, rootCa: string): Promise<void> {
  if (client.get(accounts, { namespace, name: 'default' }) === undefined) {
    await createOnce(client, accounts, { kind: 'ServiceAccount', metadata: { name: 'default', namespace } });
  }
  const map = client.get(maps, { namespace, name: caMap });
  if (map === undefined) {
    const metadata = { name: caMap, namespace, annotations: { 'kubernetes.io/description': description } };
    await createOnce(client, maps, { kind: 'ConfigMap', metadata, data: { 'ca.crt': rootCa } });
  } else if (text(child(map, 'data'), 'ca.crt') !== rootCa) {
    await client.change(maps, { namespace, name: caMap }, (draft: Draft) => {
      draft['data'] = { 'ca.crt': rootCa };
    });
  }
}

async function createOnce(client: RestClient, resource: typeof maps, object: JsonObject): Promise<void> {
  try {
    await client.create(resource, { apiVersion: 'v1', ...object });
  } catch (error) {
    if (!isApiError(error) || error.reason !== 'AlreadyExists') throw error;
  }
}
