import { readFileSync } from 'node:fs';
import { wireFolder } from '../kinds/wire-folder.ts';

export type FieldType =
  | { readonly kind: 'text' | 'integer' | 'boolean' | 'float' | 'bytes' }
  | { readonly kind: 'message'; readonly message: number };

export type FieldTable = {
  readonly name: string;
  /** The fields of this message stand in the parent. */
  readonly inline: boolean;
  readonly shape: 'one' | 'list' | 'map';
  readonly type: FieldType;
  readonly omitsZero: boolean;
};

export type MessageTable = {
  /** Without its package. */
  readonly name: string;
  readonly fields: ReadonlyMap<number, FieldTable>;
};

export type MessageTables = {
  readonly message: (index: number) => MessageTable;
  readonly find: (apiVersion: string, kind: string) => MessageTable | undefined;
};

type TableFile = {
  readonly packages: Readonly<Record<string, string>>;
  readonly messages: readonly (readonly [name: string, ...fields: string[]])[];
};

const metaPackage = 'k8s.io.apimachinery.pkg.apis.meta.v1';

/** Kinds that every group registers as its own. */
const everywhere: ReadonlySet<string> = new Set([
  'CreateOptions',
  'DeleteOptions',
  'GetOptions',
  'ListOptions',
  'PatchOptions',
  'UpdateOptions',
  'WatchEvent',
  'Status',
]);

/** Reads the generated tables; messages are unfolded when they are first asked for. */
export function readMessageTables(): MessageTables {
  const file = new URL('protobuf-tables.json', wireFolder);
  const { packages, messages } = JSON.parse(readFileSync(file, 'utf8')) as TableFile;
  const indexes = new Map(messages.map(([name], index) => [name, index]));
  const unfolded = new Map<number, MessageTable>();
  const message = (index: number): MessageTable => {
    const known = unfolded.get(index);
    if (known) return known;
    const [fullName = '', ...fields] = messages[index] ?? [];
    const table = { name: fullName.slice(fullName.lastIndexOf('.') + 1), fields: new Map(fields.map(unfold)) };
    unfolded.set(index, table);
    return table;
  };
  return {
    message,
    find: (apiVersion, kind) => {
      const home = packages[apiVersion];
      const index =
        indexes.get(`${home ?? ''}.${kind}`) ??
        (everywhere.has(kind) || apiVersion === 'meta.k8s.io/v1' ? indexes.get(`${metaPackage}.${kind}`) : undefined);
      return index === undefined ? undefined : message(index);
    },
  };
}

const scalars: Readonly<Record<string, FieldType>> = {
  s: { kind: 'text' },
  i: { kind: 'integer' },
  b: { kind: 'boolean' },
  d: { kind: 'float' },
  y: { kind: 'bytes' },
};

function unfold(text: string): readonly [number, FieldTable] {
  const [number = '', name = '', written = ''] = text.split(' ');
  const [, shape = '', type = '', omits = ''] = /^(\[\]|\{\})?(\w+)(\??)$/.exec(written) ?? [];
  const field: FieldTable = {
    name,
    inline: name === '-',
    shape: shape === '[]' ? 'list' : shape === '{}' ? 'map' : 'one',
    type: scalars[type] ?? { kind: 'message', message: Number(type) },
    omitsZero: omits === '?',
  };
  return [Number(number), field];
}
