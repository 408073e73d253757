import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseYaml } from '@tributary/runtime';
import type { KubeObject } from '@tributary/runtime';
import { without, withValue } from './with-value.ts';

/** A manifest that must be accepted, and what is special about it. */
export type Form = { readonly title: string; readonly manifest: KubeObject };
/** One that must not, and what its message must contain: the path of the field first of all. */
export type Refusal = Form & { readonly says: string };
export type KindForms = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly accepted: readonly Form[];
  readonly refused: readonly Refusal[];
};

/** How the tables are written down. `base` is always valid; most rows change one thing of it. */
type Table = {
  readonly base: KubeObject;
  /** Kinds of the same shape that are cluster-wide. */
  readonly alsoClusterKinds?: readonly string[];
  /** The parts that many kinds write alike, and where this one has them. */
  readonly uses?: Readonly<Record<string, readonly string[]>>;
  /** What may stand at a path. */
  readonly accepts?: Readonly<Record<string, readonly unknown[]>>;
  /** All but the head of a manifest. */
  readonly whole?: Readonly<Record<string, object>>;
  readonly refuses?: readonly RefusedChange[];
};
type RefusedChange = {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly drop?: string;
  readonly says: string;
};
/** `@` in a message is the path where the part is used. */
type PartTable = {
  readonly accepts: readonly unknown[];
  readonly refuses: readonly { readonly value: unknown; readonly says: string }[];
};

const folder = join(import.meta.dirname, '../manifests');
const read = (path: string): unknown => parseYaml(readFileSync(join(folder, path), 'utf8'));

export function readManifestTables(): readonly KindForms[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  return files
    .flatMap((name) => read(name) as readonly Table[])
    .flatMap((table) => [table, ...(table.alsoClusterKinds ?? []).map((kind) => asClusterKind(table, kind))])
    .map(toForms);
}

function asClusterKind(table: Table, kind: string): Table {
  const { namespace: _, ...metadata } = table.base.metadata;
  return { ...table, base: { ...table.base, kind, metadata } };
}

function toForms(table: Table): KindForms {
  const { kind = '', apiVersion = '' } = table.base;
  const accepted = [{ title: 'the base', manifest: table.base }, ...changed(table), ...whole(table), ...parts(table)];
  const refused = [...(table.refuses ?? []).map((row) => toRefusal(table, row)), ...brokenParts(table)];
  return { kind, apiVersion, accepted, refused };
}

function changed({ base, accepts = {} }: Pick<Table, 'base' | 'accepts'>): readonly Form[] {
  return Object.entries(accepts).flatMap(([path, values]) =>
    values.map((value) => ({ title: titleOf(path, value), manifest: withValue(base, path, value) })),
  );
}

function whole({ base, whole: bodies = {} }: Table): readonly Form[] {
  const { apiVersion, kind, metadata } = base;
  return Object.entries(bodies).map(([title, body]) => {
    return { title, manifest: { apiVersion, kind, metadata, ...body } as KubeObject };
  });
}

function places({ uses = {} }: Table): readonly (readonly [string, PartTable])[] {
  return Object.entries(uses).flatMap(([part, paths]) =>
    paths.map((path) => [path, read(`parts/${part}.yaml`) as PartTable] as const),
  );
}

function parts(table: Table): readonly Form[] {
  return places(table).flatMap(([path, { accepts }]) => changed({ base: table.base, accepts: { [path]: accepts } }));
}

function brokenParts(table: Table): readonly Refusal[] {
  return places(table).flatMap(([path, { refuses }]) =>
    refuses.map(({ value, says }) =>
      toRefusal(table, { set: { [path]: value }, says: says.replaceAll('@', toFieldPath(path)) }),
    ),
  );
}

function toRefusal({ base }: Table, { set = {}, drop, says }: RefusedChange): Refusal {
  const changes = Object.entries(set);
  const filled = changes.reduce((manifest, [path, value]) => withValue(manifest, path, value), base);
  const manifest = drop === undefined ? filled : without(filled, drop);
  const dropped = drop === undefined ? [] : [`no ${drop}`];
  const title = [...changes.map(([path, value]) => titleOf(path, value)), ...dropped].join(', ');
  return { title, manifest, says };
}

function titleOf(path: string, value: unknown): string {
  return `${toFieldPath(path)}: ${JSON.stringify(value)}`;
}

/** As the API server writes it: `spec.rules[0].action`. */
function toFieldPath(path: string): string {
  return path.replaceAll(/\.(\d+)(?=\.|$)/g, '[$1]');
}
