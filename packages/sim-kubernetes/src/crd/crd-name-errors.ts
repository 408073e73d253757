import type { FieldError } from '../registry/field-error.ts';
import { childPath, invalidField, keyPath, requiredField } from '../schema/field-errors.ts';
import { checkLabel1035 } from '../registry/name-checks.ts';
import type { CrdNames } from './crd-object.ts';

export function requiredNameErrors(names: CrdNames): readonly FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((name) => (names[name] ?? '') === '')
    .map((name) => requiredField(`spec.names.${name}`));
}

export function nameErrors(names: CrdNames, at: string): readonly FieldError[] {
  const { kind, listKind = '' } = names;
  return [
    ...(['plural', 'singular'] as const).flatMap((name) => labelErrors(names[name], childPath(at, name), '')),
    ...(['kind', 'listKind'] as const).flatMap((name) =>
      labelErrors(names[name], childPath(at, name), 'may have mixed case, but should otherwise match: '),
    ),
    ...(names.shortNames ?? []).flatMap((name, index) => listErrors(name, keyPath(childPath(at, 'shortNames'), index))),
    ...(kind !== '' && kind === listKind
      ? [invalidField(childPath(at, 'listKind'), listKind, 'kind and listKind may not be the same')]
      : []),
    ...(names.categories ?? []).flatMap((name, index) => listErrors(name, keyPath(childPath(at, 'categories'), index))),
  ];
}

/** A kind may be written in any case: the note says so, and the label is checked in lower case. */
function labelErrors(name: string | undefined, at: string, note: string): readonly FieldError[] {
  if (name === undefined || name === '') return [];
  const problems = checkLabel1035(note === '' ? name : name.toLowerCase());
  return problems.length === 0 ? [] : [invalidField(at, name, `${note}${problems.join(',')}`)];
}

function listErrors(name: string, at: string): readonly FieldError[] {
  const problems = checkLabel1035(name);
  return problems.length === 0 ? [] : [invalidField(at, name, problems.join(','))];
}
