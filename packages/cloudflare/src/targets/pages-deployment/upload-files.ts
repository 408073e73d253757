import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { bearerHeader, listAll } from '@tributary/cloudflare-api';
import { OperatorError } from '@tributary/runtime';
import type { Call } from '../../engine/l5-sync/target.ts';
import { contentTypeOf } from './content-type.ts';

/** By path, without a slash at the beginning. */
export type Files = ReadonlyMap<string, Uint8Array>;

type Place = { readonly accountId: string; readonly project: string };
type Asset = { readonly path: string; readonly key: string; readonly bytes: Uint8Array };

/** These tell how a site is served: they go along with the deployment and are no assets. */
const special = ['_headers', '_redirects', '_routes.json', '_worker.js'] as const;
const most = { files: 20_000, fileBytes: 25 * 1024 * 1024, batchFiles: 100, batchBytes: 20 * 1024 * 1024 };

/**
 * Stores what Cloudflare does not have yet, and returns the fields of the deployment that is made of it. Files are stored
 * by their hashes, so that a second try sends only what the first did not.
 */
export async function uploadFiles(files: Files, { accountId, project }: Place, call: Call): Promise<object> {
  const assets = toAssets(files);
  const { api, signal } = call;
  const { jwt } = await api.pages.projects.getUploadToken(project, { account_id: accountId }, { signal });
  const options = { signal, headers: { [bearerHeader]: jwt } };
  const hashes = [...new Set(assets.map(({ key }) => key))];
  if (hashes.length > 0) {
    const missing = new Set(await listAll(api.pages.assets.checkMissing({ hashes }, options)));
    const unsent = new Map(assets.filter(({ key }) => missing.has(key)).map((asset) => [asset.key, asset]));
    for (const batch of batchesOf([...unsent.values()])) {
      await api.pages.assets.upload({ body: batch.map(toUpload) }, options);
    }
    await api.pages.assets.upsertHashes({ hashes }, options);
  }
  return {
    manifest: JSON.stringify(Object.fromEntries(assets.map(({ path, key }) => [`/${path}`, key]))),
    ...Object.fromEntries(
      special.flatMap((name) => {
        const bytes = files.get(name);
        return bytes ? [[name, new File([new Uint8Array(bytes)], name)]] : [];
      }),
    ),
  };
}

function toAssets(files: Files): readonly Asset[] {
  const assets = [...files].filter(([path]) => !special.some((name) => name === path));
  if (assets.length > most.files) throw tooMuch(`${assets.length} files, and Cloudflare takes ${most.files}`);
  return assets.map(([path, bytes]) => {
    if (path.startsWith('_worker.js/')) throw tooMuch('_worker.js is a folder: bundle it into one file');
    if (bytes.length > most.fileBytes) throw tooMuch(`${path} has more than 25 MiB`);
    return { path, bytes, key: keyOf(path, bytes) };
  });
}

/** The extension decides on the type that a file is served with, so it is part of what the file is. */
function keyOf(path: string, bytes: Uint8Array): string {
  return hash('sha256', Buffer.concat([bytes, Buffer.from(extname(path))])).slice(0, 32);
}

function toUpload({ path, key, bytes }: Asset): {
  key: string;
  value: string;
  base64: true;
  metadata: { contentType: string };
} {
  const value = Buffer.from(bytes).toString('base64');
  return { key, value, base64: true, metadata: { contentType: contentTypeOf(path) } };
}

function batchesOf(assets: readonly Asset[]): readonly (readonly Asset[])[] {
  const batches: Asset[][] = [];
  let room = 0;
  for (const asset of assets) {
    const last = batches.at(-1);
    room -= asset.bytes.length;
    if (last && room >= 0 && last.length < most.batchFiles) last.push(asset);
    else {
      batches.push([asset]);
      room = most.batchBytes - asset.bytes.length;
    }
  }
  return batches;
}

function tooMuch(message: string): OperatorError {
  return new OperatorError('pages/files', message, { kind: 'after', ms: 60 * 60_000 });
}
