import { cpSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

// usage: npm run bundle: everything that `tributary` needs, for an image: one program, and the tables of the built-in
// kinds, which the embedded API server reads one by one when it is asked for them.
const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
const outfile = join(dist, 'bin', 'tributary.mjs');
rmSync(dist, { recursive: true, force: true });
await build({
  entryPoints: [join(root, 'packages', 'cli', 'src', 'main.ts')],
  outfile,
  bundle: true,
  minify: true,
  sourcemap: 'external',
  platform: 'node',
  format: 'esm',
  target: 'node24',
  // CommonJS dependencies call require, which ES modules do not have.
  banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
});
cpSync(join(root, 'packages', 'sim-kubernetes', 'src', 'wire'), join(dist, 'wire'), { recursive: true });
console.log(`dist/bin/tributary.mjs: ${Math.round(statSync(outfile).size / 1024)} KB`);
