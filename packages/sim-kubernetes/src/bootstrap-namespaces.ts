import type { RestClient } from './rest/rest-client.ts';

const names = ['default', 'kube-node-lease', 'kube-public', 'kube-system'];
const namespaces = { group: '', plural: 'namespaces' };

/** The namespaces that every cluster is born with. */
export async function bootstrapNamespaces(client: RestClient): Promise<void> {
  for (const name of names) {
    if (client.get(namespaces, { name }) === undefined) {
      await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    }
  }
}
