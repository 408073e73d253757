import { readFile, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from './registry/json.ts';

/** The objects in YAML and JSON files and in the files of folders, in order. */
export async function readManifests(paths: readonly string[]): Promise<readonly JsonObject[]> {
  if (paths.length === 0) return [];
  const { parseYamlDocuments } = await import('@tributary/runtime/yaml');
  const files = (await Promise.all(paths.map(manifestFiles))).flat();
  const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  return texts.flatMap((text) => parseYamlDocuments(text)) as readonly JsonObject[];
}

async function manifestFiles(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path];
  const names = await readdir(path);
  return names
    .filter((name) => /\.(ya?ml|json)$/.test(name))
    .toSorted()
    .map((name) => join(path, name));
}
