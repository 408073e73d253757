import type { AdmissionAttributes, AdmissionPlugin } from '../registry/admission.ts';

/** Subresources by which no pod becomes more than it was. */
const harmless = new Set(['exec', 'attach', 'binding', 'eviction', 'log', 'portforward', 'proxy', 'status']);

/** What PodSecurity enforces where no label of the namespace asks for more: nothing, which it notes. */
export const podSecurity: AdmissionPlugin = {
  name: 'PodSecurity',
  validate: ({ annotate, operation, type, subresource }: AdmissionAttributes) => {
    if (annotate === undefined || type.group !== '' || type.plural !== 'pods') return;
    if ((operation !== 'CREATE' && operation !== 'UPDATE') || harmless.has(subresource)) return;
    annotate('pod-security.kubernetes.io/enforce-policy', 'privileged:latest');
  },
};
