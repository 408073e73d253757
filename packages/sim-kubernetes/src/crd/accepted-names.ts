import type { JsonObject } from '../registry/json.ts';
import { goQuote } from '../schema/go-format.ts';
import { crdSpec, crdStatus } from './crd-object.ts';
import type { CrdCondition, CrdNames } from './crd-object.ts';

export type NamesDecision = {
  readonly acceptedNames: CrdNames;
  readonly namesAccepted: CrdCondition;
};

/** Which of the names that a CRD asks for it gets: those that no other CRD of its group has. */
export function decideNames(crd: JsonObject, others: readonly JsonObject[]): NamesDecision {
  const { group, names } = crdSpec(crd);
  const before = crdStatus(crd).acceptedNames ?? { plural: '', kind: '' };
  const taken = others
    .filter((other) => crdSpec(other).group === group)
    .map((other) => crdStatus(other).acceptedNames ?? { plural: '', kind: '' });
  const resources = taken.flatMap((one) => [one.plural, one.singular, ...(one.shortNames ?? [])]);
  const kinds = taken.flatMap((one) => [one.kind, one.listKind]);
  const accepted: { -readonly [name in keyof CrdNames]: CrdNames[name] } = { ...before };
  let conflict: Pick<CrdCondition, 'reason' | 'message'> | undefined;
  const settle = (field: 'plural' | 'singular' | 'kind' | 'listKind', used: readonly (string | undefined)[]): void => {
    const wanted = names[field] ?? '';
    if (wanted === before[field] || !used.includes(wanted)) accepted[field] = wanted;
    else conflict = { reason: conflictReasons[field], message: inUse(wanted) };
  };
  settle('plural', resources);
  settle('singular', resources);
  const strange = (names.shortNames ?? []).filter(
    (name) => !(before.shortNames ?? []).includes(name) && resources.includes(name),
  );
  if (strange.length > 0) conflict = { reason: 'ShortNamesConflict', message: aggregate(strange.map(inUse)) };
  else if (names.shortNames) accepted.shortNames = names.shortNames;
  else delete accepted.shortNames;
  settle('kind', kinds);
  settle('listKind', kinds);
  if (names.categories) accepted.categories = names.categories;
  else delete accepted.categories;
  const namesAccepted: CrdCondition = conflict
    ? { type: 'NamesAccepted', status: 'False', ...conflict }
    : { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' };
  return { acceptedNames: accepted, namesAccepted };
}

const conflictReasons = {
  plural: 'PluralConflict',
  singular: 'SingularConflict',
  kind: 'KindConflict',
  listKind: 'ListKindConflict',
} as const;

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}

function aggregate(messages: readonly string[]): string {
  return messages.length === 1 ? (messages[0] ?? '') : `[${messages.join(', ')}]`;
}
