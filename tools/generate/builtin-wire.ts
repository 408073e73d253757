// What discovery, OpenAPI and the tables of the built-in kinds look like on a real kube-apiserver.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SchemaNode } from '../../packages/sim-kubernetes/src/registry/schema-node.ts';
import { readBootstrapPolicy } from './bootstrap-policy.ts';
import { toFieldEncoding } from './builtin-encoding.ts';
import type { FieldEncoding } from './builtin-encoding.ts';
import type { GoStruct } from './builtin-go-fields.ts';
import { fieldsOf, parseGoStructs } from './builtin-go-fields.ts';
import { builtinGroups, servedUnder } from './builtin-groups.ts';
import type { ReadJson } from './builtin-resources.ts';
import { readResources } from './builtin-resources.ts';
import type { OpenApiDocument } from './builtin-schemas.ts';
import { goPackageOf, rootsOf, splitSchemaName, withoutProse } from './builtin-schemas.ts';

/** First in every generated JSON file, which has no comments to say it in. */
export const mark = { generatedBy: 'tools/generate/builtin-kinds.ts. Do not edit.' };

/** Reads the Go sources of a package, all files in one. */
export type ReadGoPackage = (module: string, folder: string) => string;

/** File names below src/wire with what they hold. */
export type WireFiles = ReadonlyMap<string, string>;

export async function generateWire(readJson: ReadJson, readGoPackage: ReadGoPackage): Promise<WireFiles> {
  const files = new Map<string, string>();
  const schemas = new Map<string, SchemaNode>();
  for (const builtin of builtinGroups) {
    const document = (await readJson(`/openapi/v3/${servedUnder(builtin)}`)) as OpenApiDocument;
    const found = document.components?.schemas ?? {};
    for (const [name, schema] of Object.entries(found)) {
      // DeleteOptions and WatchEvent name the group that serves them; the first is the core group, as for all others.
      if (!schemas.has(name)) schemas.set(name, withoutProse(schema) as SchemaNode);
    }
    const resources = await readResources(builtin, readJson);
    const { group, version } = builtin;
    files.set(
      `groups/${group === '' ? 'core' : group}.${version}.json`,
      text({ group, version, resources, roots: rootsOf(found) }),
    );
  }
  for (const [bundle, content] of bundles(schemas, readGoPackage)) files.set(`schemas/${bundle}.json`, text(content));
  files.set('bootstrap-policy.json', text(await readBootstrapPolicy(readJson)));
  return files;
}

type Bundle = {
  readonly schemas: Record<string, SchemaNode>;
  readonly encoding: Record<string, FieldEncoding>;
};

function bundles(schemas: ReadonlyMap<string, SchemaNode>, readGoPackage: ReadGoPackage): ReadonlyMap<string, Bundle> {
  const found = new Map<string, Bundle>();
  const structs = new Map<string, ReadonlyMap<string, GoStruct>>();
  for (const [name, schema] of [...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const { bundle, type } = splitSchemaName(name);
    const into = found.get(bundle) ?? { schemas: {}, encoding: {} };
    found.set(bundle, into);
    into.schemas[type] = schema;
    const source = goPackageOf(bundle);
    const parsed = structs.get(bundle) ?? parseGoStructs(source ? readGoPackage(source.module, source.folder) : '');
    structs.set(bundle, parsed);
    const encoding = toFieldEncoding(schema, fieldsOf(type, parsed));
    if (encoding !== undefined) into.encoding[type] = encoding;
  }
  return found;
}

function text(content: object): string {
  return `${JSON.stringify({ ...mark, ...content })}\n`;
}

/** Finds packages in the module cache that the module in `folder` resolves to. */
export function createGoPackageReader(folder: string): ReadGoPackage {
  const modules = new Map<string, string>();
  return (module, path) => {
    const root =
      modules.get(module) ??
      execFileSync('go', ['list', '-m', '-f', '{{.Dir}}', module], { cwd: folder, encoding: 'utf8' }).trim();
    modules.set(module, root);
    const directory = join(root, path);
    if (!existsSync(directory)) return '';
    return readdirSync(directory)
      .filter((name) => name.endsWith('.go') && !name.startsWith('zz_generated') && !name.endsWith('.pb.go'))
      .map((name) => readFileSync(join(directory, name), 'utf8'))
      .join('\n');
  };
}
