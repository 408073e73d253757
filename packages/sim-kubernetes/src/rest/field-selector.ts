import { badRequest } from '../registry/api-error.ts';
import type { StoredObject } from '../registry/json.ts';
import type { ResourceType } from '../registry/resource-type.ts';

type Term = { readonly field: string; readonly equal: boolean; readonly value: string };

/** Reads a field selector for one kind; `undefined` when it selects everything. */
export function parseFieldSelector(text: string, type: ResourceType): ((object: StoredObject) => boolean) | undefined {
  const terms = readTerms(text);
  if (terms.length === 0) return undefined;
  const known = new Set(fieldNames(type));
  for (const { field } of terms) if (!known.has(field)) throw badRequest(unknownField(field, type));
  return (object) => {
    const values = fieldsOf(type, object);
    return terms.every(({ field, equal, value }) => ((values[field] ?? '') === value) === equal);
  };
}

/** The terms of a selector. Throws when it cannot be read, whatever kind it is for. */
export function readTerms(text: string): readonly Term[] {
  return splitTerms(text)
    .toSorted()
    .filter((part) => part !== '')
    .map((part) => parseTerm(part, text))
    .filter(({ field, value }) => field !== '' || value !== '');
}

/** What the fields of an object are worth, all as text. */
function fieldsOf({ strategy }: ResourceType, object: StoredObject): Readonly<Record<string, string>> {
  const { name, namespace = '' } = object.metadata;
  return { 'metadata.name': name, 'metadata.namespace': namespace, ...strategy.fieldLabels?.(object) };
}

function fieldNames(type: ResourceType): readonly string[] {
  const metadata = { name: '', uid: '', resourceVersion: '', creationTimestamp: '' };
  const blank = { apiVersion: '', kind: type.kind, metadata, spec: {}, status: {} } as StoredObject;
  const names = Object.keys(fieldsOf(type, blank));
  return type.origin === 'custom' && !type.namespaced ? names.filter((name) => name !== 'metadata.namespace') : names;
}

function unknownField(field: string, { origin, strategy }: ResourceType): string {
  if (origin === 'custom' || strategy.fieldLabels !== undefined) return `field label not supported: ${field}`;
  return `${JSON.stringify(field)} is not a known field selector: only "metadata.name", "metadata.namespace"`;
}

/** At commas that no backslash stands before. */
function splitTerms(text: string): readonly string[] {
  return text.match(/(?:\\.|[^,\\])+|\\$/gs) ?? [];
}

function parseTerm(part: string, whole: string): Term {
  const found = /^(.*?)(!=|==|=)(.*)$/s.exec(part);
  if (found === null) throw badRequest(`invalid selector: '${whole}'; can't understand '${part}'`);
  const [, field = '', operator = '', value = ''] = found;
  return { field, equal: operator !== '!=', value: unescape(value) };
}

function unescape(text: string): string {
  const bare = /(?<!\\)(?:\\\\)*([=,])/.exec(text);
  if (bare !== null) {
    throw badRequest(`invalid field selector: unescaped character in value: ${(bare[1] ?? '').codePointAt(0) ?? 0}`);
  }
  return text.replaceAll(/\\(.?)/gs, (sequence, char: string) => {
    if (char !== '' && '\\,='.includes(char)) return char;
    throw badRequest(`invalid field selector: invalid escape sequence: ${sequence}`);
  });
}
