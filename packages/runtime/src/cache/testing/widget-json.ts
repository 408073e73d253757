/** A widget as the API server would send it: about 1.4 KB, a third of it managed fields, as a small custom resource is. */
export function widgetJson(index: number, revision: number): string {
  const id = String(index).padStart(12, '0');
  const fields = { 'f:spec': { 'f:type': {}, 'f:content': {}, 'f:ttl': {}, 'f:comment': {}, 'f:proxied': {} } };
  const managed = {
    manager: 'kubectl-client-side-apply',
    operation: 'Update',
    apiVersion: 'example.com/v1',
    time: '2026-01-05T12:00:00Z',
    fieldsType: 'FieldsV1',
    fieldsV1: fields,
  };
  return JSON.stringify({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: {
      name: `widget-${id}`,
      namespace: `namespace-number-${index % 50}`,
      uid: `3f1f0c2e-1111-4444-8888-${id}`,
      resourceVersion: String(revision),
      generation: 1,
      creationTimestamp: '2026-01-05T12:00:00Z',
      labels: { 'app.kubernetes.io/name': 'widget', 'app.kubernetes.io/instance': `instance-${index % 100}` },
      annotations: { 'example.com/note': `a note that only object ${id} has` },
      managedFields: [managed, managed],
    },
    spec: { type: 'A', content: `192.0.2.${index % 256}`, ttl: 300, proxied: false, comment: 'x'.repeat(240) + id },
    status: {
      observedGeneration: 1,
      conditions: [{ type: 'Ready', status: 'True', reason: 'Synced', message: 'in sync', observedGeneration: 1 }],
    },
  });
}
