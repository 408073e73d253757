/** How values of one place in an object are merged: which forms they may have, and what of each is owned as a whole. */
export type MergeType = {
  readonly scalar?: ScalarForm;
  readonly list?: ListForm;
  readonly map?: MapForm;
};

export type ScalarForm = 'numeric' | 'string' | 'boolean' | 'untyped';

export type ListForm = {
  readonly atomic: boolean;
  /** Of a list whose items have names; absent for sets of scalars. */
  readonly keys?: readonly string[];
  readonly element: MergeType;
};

export type MapForm = {
  readonly atomic: boolean;
  /** Without a prototype, so that a field may have any name. */
  readonly fields: { readonly [name: string]: MergeField };
  /** For names that are not among the fields; absent: there are no others. */
  readonly element: MergeType | undefined;
};

export type MergeField = {
  readonly type: MergeType;
  /** How a path names the field: made once, for every write needs it. */
  readonly element: string;
  readonly default?: unknown;
};

export type Form = 'map' | 'scalar' | 'list';

/** What has no schema and is owned as a whole. */
export const untypedAtomic: MergeType = {
  scalar: 'untyped',
  get list() {
    return atomicList;
  },
  get map() {
    return atomicMap;
  },
};
const atomicList: ListForm = { atomic: true, element: untypedAtomic };
const atomicMap: MapForm = { atomic: true, fields: noNames(), element: untypedAtomic };

/** What has no schema: objects are owned field by field, lists as a whole. */
export const deduced: MergeType = {
  scalar: 'untyped',
  list: atomicList,
  get map() {
    return deducedMap;
  },
};
const deducedMap: MapForm = { atomic: false, fields: noNames(), element: deduced };

export function noNames(): Record<string, MergeField> {
  return Object.create(null) as Record<string, MergeField>;
}

/** The form in which a value is walked: its own where the type allows that, else the first that the type has. */
export function formOf(type: MergeType, value: unknown): Form {
  if (value !== null && value !== undefined) {
    const own = Array.isArray(value) ? 'list' : typeof value === 'object' ? 'map' : 'scalar';
    if (type[own] !== undefined) return own;
  }
  if (type.map !== undefined) return 'map';
  return type.scalar === undefined ? 'list' : 'scalar';
}

export function fieldType(map: MapForm, name: string): MergeType | undefined {
  const field = map.fields[name];
  return field === undefined ? map.element : field.type;
}

export function hasField(map: MapForm, name: string): boolean {
  return map.fields[name] !== undefined;
}

export type JsonMap = { readonly [key: string]: unknown };

export function asMap(value: unknown): JsonMap | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonMap) : undefined;
}

export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as readonly unknown[]) : undefined;
}
