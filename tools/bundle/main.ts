import { cpSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { bundleProgram } from './bundle-program.ts';

// usage: npm run bundle: everything that `tributary` needs, for an image: one program, and the tables of the built-in
// kinds, which the embedded API server reads one by one when it is asked for them.
const root = join(import.meta.dirname, '..', '..');
const dist = join(root, 'dist');
const bin = join(dist, 'bin');
rmSync(dist, { recursive: true, force: true });
await bundleProgram(bin);
cpSync(join(root, 'packages', 'sim-kubernetes', 'src', 'wire'), join(dist, 'wire'), { recursive: true });
const code = readdirSync(bin).filter((name) => name.endsWith('.mjs'));
const bytes = code.reduce((sum, name) => sum + statSync(join(bin, name)).size, 0);
console.log(`dist/bin/tributary.mjs and ${code.length - 1} chunks: ${Math.round(bytes / 1024)} KB`);
