import { spawn, spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { goPackages, linkerFlags } from './components.ts';
import type { Component } from './components.ts';
import { withLock } from './with-lock.ts';

/**
 * Finds the real programs: in the folder that KUBEBUILDER_ASSETS names, else in our cache, else by building them
 * with Go. A build is kept in a folder named by what it was built from, so a new version never meets an old file.
 */
export async function obtainBinaries(
  components: readonly Component[],
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<Readonly<Record<Component, string>>> {
  const paths: Partial<Record<Component, string>> = {};
  for (const component of components) {
    const given = env['KUBEBUILDER_ASSETS'] ? join(env['KUBEBUILDER_ASSETS'], component) : undefined;
    paths[component] = given && existsSync(given) ? given : await cachedBuild(component, env, say);
  }
  return paths as Record<Component, string>;
}

async function cachedBuild(component: Component, env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<string> {
  const folder = join(cacheFolder(env), moduleHash(goPackages[component].module));
  const binary = join(folder, component);
  if (existsSync(binary)) return binary;
  requireGo(component, env);
  mkdirSync(folder, { recursive: true });
  await withLock(join(folder, `${component}.lock`), async () => {
    if (!existsSync(binary)) await build(component, binary, env, say);
  });
  return binary;
}

function cacheFolder(env: NodeJS.ProcessEnv): string {
  return join(env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'tributary', 'control-plane');
}

function moduleFolder(module: string): string {
  return join(import.meta.dirname, module);
}

function moduleHash(module: string): string {
  const parts = ['go.mod', 'go.sum'].map((file) => readFileSync(join(moduleFolder(module), file), 'utf8'));
  return hash('sha256', [...parts, linkerFlags].join('\0')).slice(0, 16);
}

function requireGo(component: Component, env: NodeJS.ProcessEnv): void {
  if (spawnSync('go', ['version'], { env }).status === 0) return;
  throw new Error(
    `${component} is needed and is not here: set KUBEBUILDER_ASSETS to a folder that has it, ` +
      'or install Go 1.26 or later so that it can be built (about ten minutes, once).',
  );
}

async function build(
  component: Component,
  binary: string,
  env: NodeJS.ProcessEnv,
  say: (line: string) => void,
): Promise<void> {
  const { module, path } = goPackages[component];
  const unfinished = `${binary}.${process.pid}.unfinished`;
  const started = Date.now();
  say(`building ${component} with Go (once; kept in the cache folder) ...`);
  const progress = setInterval(() => {
    say(`building ${component}: ${Math.round((Date.now() - started) / 1000)} s`);
  }, 15_000);
  try {
    await run('go', ['build', '-trimpath', '-ldflags', linkerFlags, '-o', unfinished, path], {
      cwd: moduleFolder(module),
      env: { ...env, CGO_ENABLED: '0' },
    });
    renameSync(unfinished, binary);
    say(`built ${component} in ${Math.round((Date.now() - started) / 1000)} s`);
  } finally {
    clearInterval(progress);
    rmSync(unfinished, { force: true });
  }
}

async function run(command: string, args: string[], options: { cwd: string; env: NodeJS.ProcessEnv }): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
  let complaints = '';
  child.stderr.on('data', (chunk: Buffer) => (complaints = (complaints + chunk.toString()).slice(-4000)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}:\n${complaints}`);
}
