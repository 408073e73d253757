import { forbiddenField, requiredField } from '../../schema/field-errors.ts';
import { subdomainName } from '../../registry/name-checks.ts';
import { sameJson } from '../../registry/same-json.ts';
import type { BuiltinKind } from '../builtin-kind.ts';
import { age } from '../cells/cell-text.ts';
import { specChanged } from '../core/plain-kinds.ts';
import { child, ensureChild, items, text } from '../draft-fields.ts';
import { checkOneOf, checkPrefix, checkSame, checkSubdomainField } from '../validation/field-checks.ts';

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
  {
    ...inStorage,
    kind: 'CSINode',
    strategy: {
      noGeneration: true,
      allowsUnconditionalUpdate: false,
      validate: (object) =>
        items(child(object, 'spec'), 'drivers').flatMap((driver, index) =>
          ['name', 'nodeID'].flatMap((key) =>
            text(driver, key) === '' ? [requiredField(`spec.drivers[${index}].${key}`)] : [],
          ),
        ),
    },
  },
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
      validateUpdate: (next, old) => [
        ...checkPrefix(next, subdomainName),
        ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((field) =>
          checkSame(next[field], old[field], field),
        ),
      ],
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
  {
    ...inStorage,
    kind: 'VolumeAttributesClass',
    cells: (object, nowMs) => [object.metadata.name, text(object, 'driverName'), age(object, nowMs)],
    strategy: {
      noGeneration: true,
      validate: (object) => [
        ...(text(object, 'driverName') === '' ? [requiredField('driverName')] : []),
        ...(Object.keys(child(object, 'parameters')).length === 0
          ? [requiredField('parameters', 'must contain at least one key/value pair')]
          : []),
      ],
      validateUpdate: (next, old) =>
        ['driverName', 'parameters'].flatMap((field) =>
          sameJson(next[field], old[field]) ? [] : [forbiddenField(field, `updates to ${field} are forbidden.`)],
        ),
    },
  },
];
