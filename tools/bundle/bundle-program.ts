import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..', '..');

/**
 * `tributary` as it ships, in a folder; the path of its program. In chunks: a process reads and keeps only those of the
 * operator that it runs, which is some 25 MB less than the whole.
 */
export async function bundleProgram(folder: string): Promise<string> {
  await build({
    entryPoints: { tributary: join(root, 'packages', 'cli', 'src', 'main.ts') },
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    splitting: true,
    bundle: true,
    minify: true,
    sourcemap: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node24',
    // CommonJS dependencies call require, which ES modules do not have.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  return join(folder, 'tributary.mjs');
}
