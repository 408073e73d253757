import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { Plugin } from 'esbuild';
import { writeTypes } from './write-types.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);

type PackageFile = Readonly<Record<string, unknown>> & {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
};

/** A package of this repository as npm installs it anywhere: JavaScript and types, its siblings inside. The tarball's path. */
export async function packLibrary(name: string, folder: string): Promise<string> {
  const source = join(root, 'packages', name);
  const content = mkdtempSync(join(tmpdir(), `pack-${name}-`));
  try {
    const [used] = await Promise.all([
      bundle(join(source, 'src', 'index.ts'), join(content, 'lib')),
      writeTypes(name, join(content, 'types')),
    ]);
    for (const file of ['README.md', 'LICENSE']) cpSync(join(source, file), join(content, file));
    cpSync(join(source, 'src', 'wire'), join(content, 'wire'), { recursive: true });
    const described = packageFile(readPackage(source), used);
    writeFileSync(join(content, 'package.json'), `${JSON.stringify(described, undefined, 2)}\n`);
    mkdirSync(folder, { recursive: true });
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: content });
    return join(folder, stdout.trim());
  } finally {
    rmSync(content, { recursive: true });
  }
}

/** Writes the bundle in chunks, so that what a test does not use is not read; the npm packages that it imports. */
async function bundle(entry: string, folder: string): Promise<readonly string[]> {
  const { metafile } = await build({
    entryPoints: [entry],
    outdir: folder,
    splitting: true,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    metafile: true,
    logLevel: 'error',
    plugins: [siblingsInside],
  });
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const names = imports.filter(({ external, path }) => external && !path.startsWith('node:')).map(({ path }) => path);
  return [...new Set(names.map(packageOf))].toSorted();
}

/** Packages of this repository go into the bundle, those of others are dependencies. */
const siblingsInside: Plugin = {
  name: 'siblings-inside',
  setup: (building) =>
    building.onResolve({ filter: /^[^./]/ }, ({ path, kind }) =>
      kind === 'entry-point' || path.startsWith('@tributary/') ? undefined : { path, external: true },
    ),
};

function packageOf(path: string): string {
  return path
    .split('/')
    .slice(0, path.startsWith('@') ? 2 : 1)
    .join('/');
}

function packageFile({ name, version, description, license }: PackageFile, used: readonly string[]): object {
  const versions = Object.assign({}, ...readdirSync(join(root, 'packages')).map(dependenciesOf)) as Readonly<
    Record<string, string>
  >;
  return {
    name,
    version,
    description,
    license,
    keywords: ['kubernetes', 'envtest', 'operator', 'testing', 'vitest'],
    type: 'module',
    engines: { node: '>=22.19' },
    exports: { '.': { types: `./types/${name.split('/')[1]}/src/index.d.ts`, default: './lib/index.js' } },
    files: ['lib', 'types', 'wire'],
    dependencies: Object.fromEntries(used.map((one) => [one, versions[one]])),
  };
}

function dependenciesOf(name: string): Readonly<Record<string, string>> {
  return readPackage(join(root, 'packages', name)).dependencies ?? {};
}

function readPackage(folder: string): PackageFile {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
}
