import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runPlayground } from './run-playground.ts';
import { topdownScene } from './topdown-scene.ts';

test('pods of the playground run in a second cluster and are seen running in the first', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'scene-'));
  const said: string[] = [];
  const shell = { say: (line: string) => void said.push(line), until: async () => undefined };
  const options = { once: true, json: false, port: 0, kubeconfig: join(folder, 'kubeconfig'), scenes: [topdownScene] };
  expect(await runPlayground(options, shell)).toBe(true);
  const text = said.join('\n');
  expect(text).toMatch(/→ physical cluster +Pod kubeocean-mount\/page-6aa37411a7ad5a7f503a032ead5ebdd7 +Running/);
  expect(text).toMatch(/Pod +default\/page +Ready/);
  expect(text).toMatch(/Node +vnode-cls-worker1-worker-1 +Ready/);
  rmSync(folder, { recursive: true });
});
