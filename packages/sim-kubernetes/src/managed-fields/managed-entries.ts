// `metadata.managedFields` as a table of managers, and back.
import type { StoredObject } from '../registry/json.ts';
import { goJsonInOrder } from '../schema/go-format.ts';
import { inOrder } from './field-order.ts';
import type { FieldSet, FieldSetDraft } from './field-set.ts';
import { insertAt, isEmptySet, leaf } from './field-set.ts';
import { asMap } from './merge-type.ts';
import { readElement } from './path-element.ts';

export type Operation = 'Apply' | 'Update';

/** Who wrote how: one entry of `managedFields` without its fields. */
export type ManagerName = {
  readonly manager: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  /** Empty for the object itself. */
  readonly subresource: string;
};

export type Manager = ManagerName & { readonly time: string | undefined; readonly fields: FieldSet };

/** By identity. Managers are never changed in place. */
export type Managers = Map<string, Manager>;

/** One entry as it is stored. */
export type ManagedFieldsEntry = {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly fieldsType?: string;
  readonly fieldsV1?: FieldSet;
  readonly subresource?: string;
};

export function entriesOf(object: StoredObject | undefined): readonly ManagedFieldsEntry[] | undefined {
  return object?.metadata['managedFields'] as readonly ManagedFieldsEntry[] | undefined;
}

/** A manager that applies is one whatever version it applies in; one that updates is another in every version. */
export function identityOf({ manager, operation, apiVersion, subresource }: ManagerName): string {
  return goJsonInOrder({
    ...(manager === '' ? {} : { manager }),
    operation,
    ...(operation === 'Apply' ? {} : { apiVersion }),
    ...(subresource === '' ? {} : { subresource }),
  });
}

// Entries never change, and most of an object's are the same after a write: each is read, and put in order, once.
const known = new WeakMap<ManagedFieldsEntry, { readonly identity: string; readonly manager: Manager }>();
const writtenAs = new WeakMap<Manager, ManagedFieldsEntry>();

/** The table of entries that we wrote ourselves. */
export function toManagers(entries: readonly ManagedFieldsEntry[]): Managers {
  const managers: Managers = new Map();
  for (const [index, entry] of entries.entries()) {
    let found = known.get(entry);
    if (found === undefined) {
      const [own] = readManagers([entry], index, (fields) => fields ?? leaf);
      found = { identity: own?.[0] ?? '', manager: own?.[1] as Manager };
      known.set(entry, found);
      writtenAs.set(found.manager, entry);
    }
    managers.set(found.identity, found.manager);
  }
  return managers;
}

/** The table of entries that a client wrote. Throws when it cannot be read. */
export function decodeManagers(entries: readonly ManagedFieldsEntry[]): Managers {
  return readManagers(entries, 0, (fields) => (fields === undefined ? leaf : readFields(fields)));
}

function readManagers(
  entries: readonly ManagedFieldsEntry[],
  first: number,
  read: (fields: FieldSet | undefined) => FieldSet,
): Managers {
  const managers: Managers = new Map();
  for (const [at, entry] of entries.entries()) {
    const index = first + at;
    const { manager = '', operation, apiVersion = '', subresource = '', fieldsType = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update') throw new Error('operation must be `Apply` or `Update`');
    if (apiVersion === '') throw new Error('apiVersion must not be empty');
    if (fieldsType === '') throw new Error(`missing fieldsType in managed fields entry ${index}`);
    if (fieldsType !== 'FieldsV1') {
      throw new Error(`invalid fieldsType ${JSON.stringify(fieldsType)} in managed fields entry ${index}`);
    }
    const name = { manager, operation, apiVersion, subresource } as const;
    managers.set(identityOf(name), { ...name, time: entry.time, fields: read(entry.fieldsV1) });
  }
  return managers;
}

/** A set that a client wrote, in our form. */
function readFields(value: unknown): FieldSet {
  const set: FieldSetDraft = {};
  collect(set, [], value);
  return set;
}

function collect(set: FieldSetDraft, path: readonly string[], value: unknown): void {
  const node = asMap(value);
  if (node === undefined) throw new Error('a set of fields must be an object');
  const elements = Object.entries(node).filter(([text]) => text !== '.');
  if (elements.length === 0 || '.' in node) insertAt(set, path);
  for (const [text, below] of elements) {
    const element = readElement(text);
    if (element !== undefined) collect(set, [...path, element], below);
  }
}

/** `undefined` when nobody manages anything. */
export function toEntries(managers: Managers): readonly ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].toSorted(compareManagers).map((manager) => writtenAs.get(manager) ?? toEntry(manager));
}

function toEntry({ manager, operation, apiVersion, subresource, time, fields }: Manager): ManagedFieldsEntry {
  return {
    ...(manager === '' ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: inOrder(fields),
    ...(subresource === '' ? {} : { subresource }),
  };
}

function compareManagers(a: Manager, b: Manager): number {
  return (
    compareText(a.operation, b.operation) ||
    compareText(a.time ?? '', b.time ?? '') ||
    compareText(a.manager, b.manager) ||
    compareText(a.apiVersion, b.apiVersion) ||
    compareText(a.subresource, b.subresource)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function dropEmpty(managers: Managers): void {
  for (const [identity, { fields }] of managers) if (isEmptySet(fields)) managers.delete(identity);
}
