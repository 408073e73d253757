import type { AdmissionPlugin } from '../registry/admission.ts';
import { forbidden, notFound } from '../registry/api-error.ts';

const immortal = new Set(['default', 'kube-system', 'kube-public']);
const namespaces = { group: '', plural: 'namespaces' };

/** Objects go into namespaces that exist and are not being deleted; three namespaces cannot be deleted at all. */
export const namespaceLifecycle: AdmissionPlugin = {
  name: 'NamespaceLifecycle',
  mutate: ({ operation, type, namespace, name, subresource }, context) => {
    if (type.group === '' && type.plural === 'namespaces') {
      if (operation === 'DELETE' && immortal.has(name)) {
        throw forbidden(namespaces, name, 'this namespace may not be deleted');
      }
      return;
    }
    if (!type.namespaced || operation === 'DELETE' || namespace === undefined) return;
    if (type.group === 'authorization.k8s.io' && type.plural === 'localsubjectaccessreviews') return;
    const found = context.get('', 'namespaces', undefined, namespace);
    if (found === undefined) throw notFound(namespaces, namespace);
    const phase = (found['status'] as { readonly phase?: string } | undefined)?.phase;
    if (operation !== 'CREATE' || phase !== 'Terminating') return;
    const plural = subresource === '' ? type.plural : `${type.plural}/${subresource}`;
    throw forbidden(
      { group: type.group, plural },
      name,
      `unable to create new content in namespace ${namespace} because it is being terminated`,
      [
        {
          reason: 'NamespaceTerminating',
          message: `namespace ${namespace} is being terminated`,
          field: 'metadata.namespace',
        },
      ],
    );
  },
};
