// tsc knows no bundles: it writes one declaration file per module, with the import paths of the source. Those that the
// package's face reaches are taken, and their paths made to fit: files end in .js, siblings are found beside each other.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';

const root = join(import.meta.dirname, '..', '..');
const packages = join(root, 'packages');
const importPath = /(?<=(?:from |import\()')(?:\.{1,2}\/|@tributary\/)[^']+(?=')/gu;

/** The declarations of everything that a package exports, and of what they refer to. */
export async function writeTypes(name: string, folder: string): Promise<void> {
  const emitted = mkdtempSync(join(tmpdir(), 'types-'));
  try {
    await emit(name, emitted);
    const waiting = [join(name, 'src', 'index.ts')];
    const seen = new Set(waiting);
    for (const file of waiting) {
      const declarations = readFileSync(join(emitted, declarationsOf(file)), 'utf8');
      const text = declarations.replace(importPath, (path) => {
        const target = sourceOf(path, file);
        if (!seen.has(target)) waiting.push(target);
        seen.add(target);
        const way = relative(dirname(file), target).replace(/\.ts$/u, '.js');
        return way.startsWith('.') ? way : `./${way}`;
      });
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, declarationsOf(file)), text);
    }
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

async function emit(name: string, folder: string): Promise<void> {
  const project = join(folder, 'tsconfig.json');
  const typeRoots = [join(root, 'node_modules', '@types')];
  const written = { noEmit: false, declaration: true, emitDeclarationOnly: true, stripInternal: true };
  const compilerOptions = { ...written, rootDir: packages, outDir: folder, typeRoots };
  // What is found through node_modules only is taken for somebody else's, of which nothing is written.
  const include = [name, ...siblingsOf(name)].map((one) => join(packages, one, 'src'));
  const exclude = ['**/*.test.ts', '**/testing'].map((one) => join(packages, one));
  const config = { extends: join(root, 'tsconfig.json'), compilerOptions, include, exclude };
  writeFileSync(project, JSON.stringify(config));
  await promisify(execFile)(join(root, 'node_modules', '.bin', 'tsc'), ['-p', project]);
}

function declarationsOf(file: string): string {
  return file.replace(/\.ts$/u, '.d.ts');
}

/** The module that an import path means, from the folder of packages. */
function sourceOf(path: string, importer: string): string {
  if (path.startsWith('.')) return join(dirname(importer), path);
  const [, name = '', ...rest] = path.split('/');
  return join(name, readPackage(name).exports[['.', ...rest].join('/')] ?? '');
}

function siblingsOf(name: string): readonly string[] {
  const names = Object.keys(readPackage(name).dependencies ?? {});
  return names.filter((one) => one.startsWith('@tributary/')).map((one) => one.slice('@tributary/'.length));
}

type PackageFile = {
  readonly exports: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
};

function readPackage(name: string): PackageFile {
  return JSON.parse(readFileSync(join(packages, name, 'package.json'), 'utf8')) as PackageFile;
}
