import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { obtainBinaries } from './obtain-binaries.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'binaries-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('programs in KUBEBUILDER_ASSETS are taken as they are', async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'etcd'), '');
  const env = { KUBEBUILDER_ASSETS: join(folder, 'assets'), XDG_CACHE_HOME: folder, PATH: folder };
  expect(await obtainBinaries(['etcd'], env, () => undefined)).toEqual({ etcd: join(folder, 'assets', 'etcd') });
});

test('where neither assets nor Go are, the error says what to do', async () => {
  const env = { XDG_CACHE_HOME: folder, PATH: folder };
  await expect(obtainBinaries(['kube-apiserver'], env, () => undefined)).rejects.toThrow(
    /kube-apiserver is needed and is not here: set KUBEBUILDER_ASSETS .* or install Go/,
  );
});
