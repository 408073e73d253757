import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { isatty } from 'node:tty';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../clock.ts';
import { systemAccessDeps } from './system-access-deps.ts';

const deps = systemAccessDeps({ A: '1' });
const run = { command: process.execPath, env: { A: '1' }, interactive: false, signal: new AbortController().signal };

test('files are read and their time of change is seen', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-deps-'));
  onTestFinished(async () => rm(folder, { recursive: true }));
  const path = join(folder, 'f');
  await writeFile(path, '水');
  expect(await deps.readFile(path)).toBe('水');
  expect(await deps.modifiedMs(path)).toBe((await stat(path)).mtimeMs);
  await expect(deps.readFile(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a command gives its output and exit code and sees the environment it is given, nothing else', async () => {
  const script = 'process.stdout.write(Object.keys(process.env).join()); process.exitCode = 3;';
  expect(await deps.run({ ...run, args: ['-e', script] })).toEqual({ exitCode: 3, stdout: 'A' });
});

test('a command that is not there is an error, and one that is stopped too', async () => {
  await expect(deps.run({ ...run, command: '/nowhere/at-all', args: [] })).rejects.toMatchObject({ code: 'ENOENT' });
  const signal = AbortSignal.timeout(50);
  const hanging = deps.run({ ...run, args: ['-e', 'setInterval(() => {}, 1000)'], signal });
  await expect(hanging).rejects.toMatchObject({ name: 'AbortError' });
});

test('environment, home folder and clock are the real ones', () => {
  expect([deps.env, deps.homeDir, deps.clock]).toEqual([{ A: '1' }, homedir(), systemClock]);
  expect(deps.isTerminal()).toBe(isatty(0));
});
