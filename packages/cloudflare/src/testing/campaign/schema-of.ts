import type { AnyCustomKind } from '@tributary/runtime';

/** The part of a structural schema that the campaign looks at. */
export type Schema = {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly additionalProperties?: Schema | boolean;
  readonly allOf?: readonly Schema[];
};

type Crd = {
  readonly spec: {
    readonly versions: readonly {
      readonly name: string;
      readonly storage: boolean;
      readonly schema: { readonly openAPIV3Schema: Schema };
    }[];
  };
};

export type KindSchema = {
  readonly version: string;
  /** `spec`, or nothing for early kinds that have their fields at the root. */
  readonly root: 'spec' | '';
  readonly schema: Schema;
};

/** What a user may write in an object of a kind: its stored version without status and head. */
export function schemaOf(kind: AnyCustomKind): KindSchema {
  const { versions } = (kind.toCrd() as unknown as Crd).spec;
  const stored = versions.find(({ storage }) => storage) ?? versions[0];
  if (!stored) throw new RangeError(`${kind.kind} has no version`);
  const { properties = {}, required } = stored.schema.openAPIV3Schema;
  if (properties['spec']) return { version: stored.name, root: 'spec', schema: properties['spec'] };
  const { apiVersion: _version, kind: _kind, metadata: _metadata, status: _status, ...fields } = properties;
  const own = { type: 'object', properties: fields, ...(required && { required }) };
  return { version: stored.name, root: '', schema: own };
}
