import type { JsonObject, StoredObject } from '../../registry/json.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { items, text } from '../draft-fields.ts';

/** How the parts of the control plane are: here one process, so they are as well as whoever answers. */
export const componentStatus: BuiltinKind = {
  group: '',
  version: 'v1',
  kind: 'ComponentStatus',
  deprecationWarning: 'v1 ComponentStatus is deprecated in v1.19+',
  cells: (object) => {
    const [condition] = items(object, 'conditions');
    const healthy = text(condition, 'status') === 'True' ? 'Healthy' : 'Unhealthy';
    return [object.metadata.name, healthy, text(condition, 'message'), text(condition, 'error')];
  },
  // They are asked, not stored, so there is nothing to say of them but their name.
  onRead: (object) => ({ ...object, metadata: { name: object.metadata.name } }) as unknown as StoredObject,
  strategy: { noGeneration: true },
};

export const componentStatuses: readonly JsonObject[] = ['scheduler', 'controller-manager', 'etcd-0'].map((name) => ({
  apiVersion: 'v1',
  kind: 'ComponentStatus',
  metadata: { name },
  conditions: [{ type: 'Healthy', status: 'True', message: 'ok' }],
}));
