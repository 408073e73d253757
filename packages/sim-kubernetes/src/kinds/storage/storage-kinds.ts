import { forbiddenField, requiredField } from '../../schema/field-errors.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { specChanged } from '../core/plain-kinds.ts';
import { child, ensureChild, text } from '../draft-fields.ts';
import { checkOneOf, checkSame, checkSubdomainField } from '../validation/field-checks.ts';

const inStorage = { group: 'storage.k8s.io', version: 'v1' } as const;

export const storageKinds: readonly BuiltinKind[] = [
  {
    ...inStorage,
    kind: 'CSIDriver',
    strategy: {
      allowsUnconditionalUpdate: false,
      generationChanged: specChanged,
      // Generations are counted only from the first change on.
      prepareForCreate: (draft) => delete ensureChild(draft, 'metadata')['generation'],
    },
  },
  { ...inStorage, kind: 'CSINode', strategy: { noGeneration: true, allowsUnconditionalUpdate: false } },
  {
    ...inStorage,
    kind: 'CSIStorageCapacity',
    strategy: {
      noGeneration: true,
      allowsUnconditionalUpdate: false,
      validate: (object) => checkSubdomainField(text(object, 'storageClassName'), 'storageClassName'),
    },
  },
  {
    ...inStorage,
    kind: 'StorageClass',
    strategy: {
      noGeneration: true,
      validate: (object) => [
        ...(text(object, 'provisioner') === '' ? [requiredField('provisioner')] : []),
        ...checkOneOf(text(object, 'reclaimPolicy'), 'reclaimPolicy', ['Delete', 'Retain']),
        ...checkOneOf(text(object, 'volumeBindingMode'), 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer']),
      ],
      validateUpdate: (next, old) =>
        ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((field) =>
          checkSame(next[field], old[field], field),
        ),
    },
  },
  {
    ...inStorage,
    kind: 'VolumeAttachment',
    strategy: {
      noGeneration: true,
      allowsUnconditionalUpdate: false,
      validate: (object) => {
        const spec = child(object, 'spec');
        const source = child(spec, 'source');
        const sources = ['inlineVolumeSpec', 'persistentVolumeName'].filter((key) => source[key] !== undefined);
        const fault = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
        return [
          ...(text(spec, 'attacher') === '' ? [requiredField('spec.attacher')] : []),
          ...checkSubdomainField(text(spec, 'nodeName'), 'spec.nodeName'),
          ...(sources.length === 0 ? [requiredField('spec.source', fault)] : []),
          ...(sources.length > 1 ? [forbiddenField('spec.source', fault)] : []),
        ];
      },
      validateUpdate: (next, old) => checkSame(next['spec'], old['spec'], 'spec'),
    },
  },
];
