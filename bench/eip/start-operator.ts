import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { nodeOptions } from '@tributary/alibaba-eip';
import { build } from 'esbuild';

export type BenchOperator = {
  /** Asks it to end; what it said last. */
  readonly stop: () => Promise<{ readonly peakRssMb: number }>;
};

/** Ours as it ships: one bundle, in a process of its own. */
export async function startOperator(folder: string, flags: readonly string[]): Promise<BenchOperator> {
  const bundle = join(folder, 'operator.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'operator.ts')],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node24',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [...nodeOptions, bundle, ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
  let last = '';
  child.stdout.on('data', (chunk: Buffer) => {
    last = `${last}${chunk.toString()}`.slice(-4096);
  });
  const exited = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
  });
  return {
    stop: async () => {
      child.kill('SIGTERM');
      await exited;
      const line = last.trimEnd().split('\n').at(-1) ?? '';
      if (!line.includes('peakRssMb')) throw new Error(`the operator ended with code ${child.exitCode}: ${last}`);
      return JSON.parse(line) as { peakRssMb: number };
    },
  };
}
