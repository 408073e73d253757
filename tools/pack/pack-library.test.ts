import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { packLibrary } from './pack-library.ts';

const root = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'stranger-'));
const installed = join(project, 'node_modules', '@tributary', 'sim-kubernetes');

/** A project of somebody else: the package as npm would unpack it, its dependencies, vitest, and nothing of ours. */
beforeAll(async () => {
  const tarball = await packLibrary('sim-kubernetes', project);
  mkdirSync(installed, { recursive: true });
  await run('tar', ['-xzf', tarball, '-C', installed, '--strip-components=1']);
  for (const name of [...Object.keys(described().dependencies), 'vitest', '@types/node']) {
    const link = join(project, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  cpSync(join(root, 'deploy', 'alibaba-eip', 'crds'), join(project, 'deploy', 'crds'), { recursive: true });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'stranger', private: true, type: 'module' }));
  writeFileSync(join(project, 'operator.test.ts'), `${exampleOfReadme()}${check}`);
});
afterAll(() => rmSync(project, { recursive: true }));

type Described = { readonly private?: boolean; readonly dependencies: Readonly<Record<string, string>> };

function described(): Described {
  return JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Described;
}

function exampleOfReadme(): string {
  const readme = readFileSync(join(installed, 'README.md'), 'utf8');
  return /```ts\n(import \{ startCluster \}[^]*?)```/u.exec(readme)?.[1] ?? '';
}

const check = `
import { get } from 'node:https';
import { text } from 'node:stream/consumers';

test('the CRDs are served', async () => {
  const { url, ca, token } = cluster;
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const answer = await new Promise<string>((resolve, reject) => {
    get(url + path, { ca, headers: { authorization: 'Bearer ' + token } }, (got) => {
      text(got).then(resolve, reject);
    }).once('error', reject);
  });
  const { items } = JSON.parse(answer) as { items: unknown[] };
  if (items.length === 0) throw new Error(answer);
});
`;

test('a stranger installs the package without anything else of this repository', () => {
  expect(described().private).toBeUndefined();
  expect(Object.keys(described().dependencies)).toEqual([
    '@marcbachmann/cel-js',
    'fast-json-patch',
    'undici',
    'yaml',
    'zod',
  ]);
});

test("the README's example runs in a stranger's vitest, which ends by itself", async () => {
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { stdout } = await run(process.execPath, [vitest, 'run', '--root', project], { cwd: project, env: ownEnv() });
  expect(stdout).toContain('1 passed');
  expect(stdout).not.toContain('close timed out');
});

test('it type-checks under strict with the types of the package, these included', async () => {
  const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2023', types: ['node'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['operator.test.ts'] }));
  const tsc = join(root, 'node_modules', '.bin', 'tsc');
  await expect(run(tsc, ['-p', project, '--skipLibCheck', 'false'], { cwd: project })).resolves.toMatchObject({
    stdout: '',
  });
});

/** A vitest in a vitest must not take itself for a worker of ours. */
function ownEnv(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
}
