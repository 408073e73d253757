import type { AdmissionAttributes, AdmissionPlugin } from '../registry/admission.ts';
import type { Draft, StoredObject } from '../registry/json.ts';
import { ensureChild, items, text, texts } from '../kinds/draft-fields.ts';

/** The object that is being made if it is of this resource. */
function created(attributes: AdmissionAttributes, group: string, plural: string): Draft | undefined {
  const { operation, type, subresource, object } = attributes;
  const applies = operation === 'CREATE' && type.group === group && type.plural === plural && subresource === '';
  return applies ? object : undefined;
}

/** The default among several is the youngest; of equally young ones the first by name. */
function youngest(classes: readonly StoredObject[], annotation: string): string | undefined {
  const defaults = classes.filter(({ metadata }) => metadata.annotations?.[annotation] === 'true');
  const order = defaults.toSorted(({ metadata: a }, { metadata: b }) => {
    if (a.creationTimestamp !== b.creationTimestamp) return a.creationTimestamp > b.creationTimestamp ? -1 : 1;
    return a.name < b.name ? -1 : 1;
  });
  return order[0]?.metadata.name;
}

/** A claim without a class gets the default one; an empty class is a wish for none. */
export const defaultStorageClass: AdmissionPlugin = {
  name: 'DefaultStorageClass',
  mutate: (attributes, context) => {
    const claim = created(attributes, '', 'persistentvolumeclaims');
    if (claim === undefined) return;
    const spec = ensureChild(claim, 'spec');
    const annotations = (claim['metadata'] as Draft | undefined)?.['annotations'] as Draft | undefined;
    const legacy = annotations?.['volume.beta.kubernetes.io/storage-class'];
    if (spec['storageClassName'] !== undefined || legacy !== undefined) return;
    const name = youngest(
      context.list('storage.k8s.io', 'storageclasses'),
      'storageclass.kubernetes.io/is-default-class',
    );
    if (name !== undefined) spec['storageClassName'] = name;
  },
};

export const defaultIngressClass: AdmissionPlugin = {
  name: 'DefaultIngressClass',
  mutate: (attributes, context) => {
    const ingress = created(attributes, 'networking.k8s.io', 'ingresses');
    if (ingress === undefined) return;
    const spec = ensureChild(ingress, 'spec');
    const annotations = (ingress['metadata'] as Draft | undefined)?.['annotations'] as Draft | undefined;
    if (spec['ingressClassName'] !== undefined || annotations?.['kubernetes.io/ingress.class'] !== undefined) return;
    const name = youngest(
      context.list('networking.k8s.io', 'ingressclasses'),
      'ingressclass.kubernetes.io/is-default-class',
    );
    if (name !== undefined) spec['ingressClassName'] = name;
  },
};

const protections: readonly (readonly [group: string, plural: string, finalizer: string])[] = [
  ['', 'persistentvolumeclaims', 'kubernetes.io/pvc-protection'],
  ['', 'persistentvolumes', 'kubernetes.io/pv-protection'],
  ['storage.k8s.io', 'volumeattributesclasses', 'kubernetes.io/vac-protection'],
];

/** Claims and volumes in use are not taken away: a finalizer holds them. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: 'StorageObjectInUseProtection',
  mutate: (attributes) => {
    for (const [group, plural, finalizer] of protections) {
      const object = created(attributes, group, plural);
      if (object === undefined) continue;
      const metadata = ensureChild(object, 'metadata');
      const finalizers = texts(metadata, 'finalizers');
      if (!finalizers.includes(finalizer)) metadata['finalizers'] = [...finalizers, finalizer];
    }
  },
};

const notReady = 'node.kubernetes.io/not-ready';

/** A new node takes no pods until something has seen that it is ready. */
export const taintNodesByCondition: AdmissionPlugin = {
  name: 'TaintNodesByCondition',
  mutate: (attributes) => {
    const node = created(attributes, '', 'nodes');
    if (node === undefined) return;
    const spec = ensureChild(node, 'spec');
    const taints = items(spec, 'taints');
    const known = taints.some((taint) => text(taint, 'key') === notReady && text(taint, 'effect') === 'NoSchedule');
    if (!known) spec['taints'] = [...taints, { key: notReady, effect: 'NoSchedule' }];
  },
};
