import type { FieldError } from '../registry/field-error.ts';
import { childPath, invalidField, requiredField } from '../schema/field-errors.ts';
import type { CrdVersion } from './crd-object.ts';

/** Where `scale` finds its numbers. */
export function scaleErrors(subresources: CrdVersion['subresources'], at: string): readonly FieldError[] {
  const scale = subresources?.scale;
  if (!scale) return [];
  const { specReplicasPath = '', statusReplicasPath = '', labelSelectorPath = '' } = scale;
  const path = (name: string): string => childPath(at, `scale.${name}`);
  return [
    ...pathErrors(specReplicasPath, path('specReplicasPath'), ['.spec.'], 'should be a json path under .spec'),
    ...pathErrors(statusReplicasPath, path('statusReplicasPath'), ['.status.'], 'should be a json path under .status'),
    ...(labelSelectorPath === ''
      ? []
      : pathErrors(
          labelSelectorPath,
          path('labelSelectorPath'),
          ['.spec.', '.status.'],
          'should be a json path under either .spec or .status',
        )),
  ];
}

function pathErrors(path: string, at: string, prefixes: readonly string[], detail: string): readonly FieldError[] {
  if (path === '') return [requiredField(at)];
  if (!path.startsWith('.')) return [invalidField(at, path, 'must be a simple json path starting with .')];
  return prefixes.some((prefix) => path.startsWith(prefix)) ? [] : [invalidField(at, path, detail)];
}
