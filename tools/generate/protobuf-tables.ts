// Makes packages/sim-kubernetes/src/wire/protobuf-tables.json: the field numbers of every built-in kind in a stable
// version, from the published .proto files; and, from the struct tags beside them, the names of the fields in JSON.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseProto } from './protobuf-messages.ts';
import type { ProtoMessage } from './protobuf-messages.ts';
import { parseProtobufTags } from './protobuf-tags.ts';
import type { ProtobufTag } from './protobuf-tags.ts';

export const protobufTablesPath = 'packages/sim-kubernetes/src/wire/protobuf-tables.json';

const goModule = join(import.meta.dirname, '../control-plane/kubernetes');

/** Folders of messages that kinds of several groups share. */
const shared = [
  ['k8s.io/apimachinery', 'pkg/apis/meta/v1'],
  ['k8s.io/apimachinery', 'pkg/api/resource'],
  ['k8s.io/apimachinery', 'pkg/runtime'],
  ['k8s.io/apimachinery', 'pkg/util/intstr'],
] as const;

const outside = [
  ['k8s.io/apiextensions-apiserver', 'pkg/apis/apiextensions/v1', 'apiextensions.k8s.io'],
  ['k8s.io/kube-aggregator', 'pkg/apis/apiregistration/v1', 'apiregistration.k8s.io'],
] as const;

/** The content of the file. Needs Go and the modules of the control plane. */
export function generateProtobufTables(): string {
  const modules = new Map<string, string>();
  const folderOf = (module: string, folder: string): string => {
    const root = modules.get(module) ?? moduleFolder(module);
    modules.set(module, root);
    return join(root, folder);
  };
  const packages: { [groupVersion: string]: string } = {};
  const messages = new Map<string, Described>();
  const add = (folder: string): string => {
    const { name, found } = readPackage(folder);
    for (const [message, described] of found) messages.set(`${name}.${message}`, described);
    return name;
  };
  for (const [module, folder] of shared) add(folderOf(module, folder));
  for (const { group, version, folder } of apiFolders(folderOf('k8s.io/api', ''))) {
    packages[group === '' ? version : `${group}/${version}`] = add(folder);
  }
  for (const [module, folder, group] of outside) packages[`${group}/v1`] = add(folderOf(module, folder));
  return write(packages, messages);
}

type Described = { readonly message: ProtoMessage; readonly tags: ReadonlyMap<number, ProtobufTag> | undefined };

function moduleFolder(module: string): string {
  return execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd: goModule, encoding: 'utf8' }).trim();
}

type ApiFolder = { readonly group: string; readonly version: string; readonly folder: string };

function apiFolders(root: string): readonly ApiFolder[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) =>
      readdirSync(join(root, entry.name)).map((version) => ({ version, folder: join(root, entry.name, version) })),
    )
    .filter(({ version, folder }) => /^v\d+$/.test(version) && existsSync(join(folder, 'generated.proto')))
    .map(({ version, folder }) => {
      const register = readFileSync(join(folder, 'register.go'), 'utf8');
      return { group: /GroupName = "(.*)"/.exec(register)?.[1] ?? '', version, folder };
    });
}

function readPackage(folder: string): { readonly name: string; readonly found: ReadonlyMap<string, Described> } {
  const { name, messages } = parseProto(readFileSync(join(folder, 'generated.proto'), 'utf8'));
  const sources = readdirSync(folder).filter((file) => file.endsWith('.go') && !/_test\.go$|^zz_|\.pb\.go$/.test(file));
  const tags = parseProtobufTags(sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n'));
  const found = messages.map((message) => [message.name, { message, tags: tags.get(message.name) }] as const);
  return { name, found: new Map(found) };
}

/**
 * A message is a list of `number name type`, sorted by number. `-` as name: the fields of the message stand in its
 * parent. Types: `s` text, `i` integer, `b` boolean, `d` float, `y` bytes, a number: that message; `[]` and `{}` before
 * it make lists and maps of it, `?` behind it leaves zero values out.
 */
function write(packages: { readonly [key: string]: string }, messages: ReadonlyMap<string, Described>): string {
  const names = [...messages.keys()].toSorted();
  const index = new Map(names.map((name, at) => [name, at]));
  const lines = names.map((name) => {
    const { message, tags } = messages.get(name) ?? { message: { name, fields: [] }, tags: undefined };
    const fields = message.fields
      .toSorted((a, b) => a.number - b.number)
      .map((field) => {
        const tag = tags?.get(field.number);
        const type = scalars[field.type] ?? index.get(field.type);
        if (type === undefined) throw new Error(`${name}.${field.name} is of the unknown type ${field.type}`);
        const shape = field.shape === 'list' ? '[]' : field.shape === 'map' ? '{}' : '';
        const json = tag?.inline === true ? '-' : (tag?.json ?? field.name);
        return `${field.number} ${json} ${shape}${type}${tag?.omitsZero === true ? '?' : ''}`;
      });
    return `  ${JSON.stringify([name, ...fields])}`;
  });
  const head = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return `{\n"generatedBy": "tools/generate/protobuf-tables.ts. Do not edit.",\n"packages": ${JSON.stringify(head)},\n"messages": [\n${lines.join(',\n')}\n]\n}\n`;
}

const scalars: Readonly<Record<string, string>> = {
  string: 's',
  bool: 'b',
  bytes: 'y',
  double: 'd',
  float: 'd',
  int32: 'i',
  int64: 'i',
  uint32: 'i',
  uint64: 'i',
};
