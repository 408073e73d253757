import { expect, test } from 'vitest';
import { atDashboard } from '../../testing/dashboard.ts';
import { startSimCall } from '../../testing/sim-call.ts';
import type { SimCall } from '../../testing/sim-call.ts';
import { uploadFiles } from './upload-files.ts';

async function withProject(): Promise<SimCall & { readonly place: { accountId: string; project: string } }> {
  const { sim, call } = await startSimCall();
  atDashboard(sim, 'POST', `/accounts/${sim.accountId}/pages/projects`, { name: 'site', production_branch: 'main' });
  return { sim, call, place: { accountId: sim.accountId, project: 'site' } };
}

const bytes = (text: string): Uint8Array => Buffer.from(text);
const filesOf = (count: number): ReadonlyMap<string, Uint8Array> =>
  new Map(Array.from({ length: count }, (_, index) => [`${index}.txt`, bytes(String(index))] as const));

test('files are sent by the hundred, once, and by the token that was handed out', async () => {
  const { sim, call, place } = await withProject();
  await uploadFiles(filesOf(250), place, call);
  const uploads = (): readonly unknown[] => sim.journal.calls().filter(({ path }) => path === '/pages/assets/upload');
  expect(uploads()).toHaveLength(3);
  expect(sim.journal.calls().at(-1)).toMatchObject({ path: '/pages/assets/upsert-hashes', tokenId: 'upload-token' });
  await uploadFiles(filesOf(251), place, call);
  expect(uploads()).toHaveLength(4);
  expect(sim.state.rows('pages_assets', sim.accountId)).toHaveLength(251);
});

test('equal contents are one file, unless they are served as different types', async () => {
  const { sim, call, place } = await withProject();
  const same = new Map(['a.txt', 'b/c.txt', 'd.html', 'e'].map((path) => [path, bytes('same')]));
  const { manifest } = (await uploadFiles(same, place, call)) as { readonly manifest: string };
  const hashes = JSON.parse(manifest) as Readonly<Record<string, string>>;
  expect(hashes['/a.txt']).toBe(hashes['/b/c.txt']);
  expect(new Set(Object.values(hashes)).size).toBe(3);
  expect(
    sim.state
      .rows('pages_assets', sim.accountId)
      .map(({ contentType }) => String(contentType))
      .toSorted(),
  ).toEqual(['application/octet-stream', 'text/html', 'text/plain']);
});

test('files that tell how a site is served go along with the deployment', async () => {
  const { call, place } = await withProject();
  const files = new Map(
    ['_headers', '_redirects', '_routes.json', '_worker.js', 'x/_headers'].map((path) => [path, bytes(path)]),
  );
  const form = (await uploadFiles(files, place, call)) as Readonly<Record<string, unknown>>;
  expect(Object.keys(form)).toEqual(['manifest', '_headers', '_redirects', '_routes.json', '_worker.js']);
  expect(Object.keys(JSON.parse(form['manifest'] as string) as object)).toEqual(['/x/_headers']);
  expect(await (form['_worker.js'] as File).text()).toBe('_worker.js');
});

test.each([
  ['20001 files', filesOf(20_001)],
  ['big.bin has more than 25 MiB', new Map([['big.bin', new Uint8Array(25 * 1024 * 1024 + 1)]])],
  ['bundle it into one file', new Map([['_worker.js/index.js', bytes('x')]])],
])('what Cloudflare would not take is not sent: %s', async (message, files) => {
  const { sim, call, place } = await withProject();
  await expect(uploadFiles(files, place, call)).rejects.toThrow(message);
  expect(sim.journal.calls().filter(({ path }) => path.startsWith('/pages/'))).toEqual([]);
});
