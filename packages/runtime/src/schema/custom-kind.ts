import { defineKind } from '../kind.ts';
import type { Kind } from '../kind.ts';
import type { CrdConversion, CustomResourceDefinition } from './crd.ts';
import { createCustomVersion } from './custom-version.ts';
import type { CustomVersion, ObjectOf, VersionDefinition } from './custom-version.ts';
import type { KubeObject } from '../object.ts';
import { LossySchemaError } from './lossy-schema-error.ts';
import type { Checked } from './problem.ts';

export type CustomKindDefinition<V extends readonly VersionDefinition[]> = {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** The kind in lower case when absent. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: 'Namespaced' | 'Cluster';
  readonly versions: V;
  readonly conversion?: CrdConversion;
};

/** The version that etcd holds, and that the kind speaks. */
type StorageOf<V extends readonly VersionDefinition[]> = V extends readonly [infer Only extends VersionDefinition]
  ? Only
  : Extract<V[number], { readonly storage: true }>;

type Named<V extends readonly VersionDefinition[], N> = Extract<V[number], { readonly name: N }>;

/** A kind of our own: its type, its validation and its CRD from one definition. */
export type CustomKind<V extends readonly VersionDefinition[] = readonly VersionDefinition[]> = Kind<
  ObjectOf<StorageOf<V>>
> &
  Pick<CustomVersion<StorageOf<V>>, 'parseSpec' | 'parseObject'> & {
    readonly toCrd: () => CustomResourceDefinition;
    /** The same kind as another of its versions shows it. */
    readonly at: <N extends V[number]['name']>(
      version: N,
    ) => Kind<ObjectOf<Named<V, N>>> & Pick<CustomVersion<Named<V, N>>, 'parseSpec' | 'parseObject'>;
  };

/** Any of them, for lists of kinds. */
export type AnyCustomKind = Kind & {
  readonly toCrd: () => CustomResourceDefinition;
  readonly parseSpec: (value: unknown) => Checked<object>;
  readonly parseObject: (object: KubeObject) => Checked<KubeObject>;
};

/**
 * Checks a definition and makes a kind of it. Throws a `LossySchemaError` that names the place when the API
 * server would not enforce exactly what the definition says.
 */
export function defineCustomKind<const V extends readonly VersionDefinition[]>(
  definition: CustomKindDefinition<V>,
): CustomKind<V> {
  const { group, kind, plural, scope, versions } = definition;
  checkVersions(definition);
  const built = new Map(
    versions.map((version) => [version.name, createCustomVersion(version, `${kind}/${version.name}`)] as const),
  );
  const at = (name: string): object => {
    const version = built.get(name);
    if (!version) throw new LossySchemaError(kind, `has no version ${name}`);
    const { parseSpec, parseObject } = version;
    return { ...defineKind({ group, version: name, kind, plural, scope }), parseSpec, parseObject };
  };
  const [storage = ''] = storageNames(versions);
  const stored = built.get(storage);
  const toCrd = (): CustomResourceDefinition => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope,
      names: namesOf(definition),
      versions: [...built.values()].map((version) => version.toCrdVersion(version === stored)),
      ...(definition.conversion && { conversion: definition.conversion }),
    },
  });
  return Object.freeze({ ...at(storage), toCrd, at }) as unknown as CustomKind<V>;
}

function namesOf(
  definition: CustomKindDefinition<readonly VersionDefinition[]>,
): CustomResourceDefinition['spec']['names'] {
  const { kind, plural, singular = kind.toLowerCase(), shortNames, categories } = definition;
  return {
    kind,
    listKind: `${kind}List`,
    plural,
    singular,
    ...(shortNames && { shortNames }),
    ...(categories && { categories }),
  };
}

function checkVersions({ kind, versions }: CustomKindDefinition<readonly VersionDefinition[]>): void {
  const fail = (why: string): never => {
    throw new LossySchemaError(kind, why);
  };
  if (new Set(versions.map(({ name }) => name)).size !== versions.length) fail('has two versions of one name');
  const stored = storageNames(versions);
  if (stored.length !== 1) fail(`needs exactly one storage version, not ${stored.length}`);
}

function storageNames(versions: readonly VersionDefinition[]): readonly string[] {
  return versions.filter(({ storage }) => storage ?? versions.length === 1).map(({ name }) => name);
}
