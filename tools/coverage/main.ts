import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { quickTests } from './quick-tests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const vitest = ['vitest', 'run', '--project', 'unit', '--coverage', ...process.argv.slice(2)];
const { status } = spawnSync('npx', [...vitest, ...quickTests(root)], { cwd: root, stdio: 'inherit' });
process.exitCode = status ?? 1;
