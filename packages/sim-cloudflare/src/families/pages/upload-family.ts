import { uploadAccess } from '../../api/access.ts';
import { refusal } from '../../api/api-error.ts';
import { isFields, textOf, toFields } from '../../api/fields.ts';
import { param } from '../../api/route.ts';
import type { Call, Family, Reply } from '../../api/route.ts';
import { pagesAssets } from './pages-tables.ts';
import { findProject, pagesAccess, projectPath } from './project-family.ts';
import { readUploadToken, signUploadToken } from './upload-token.ts';

const assets = '/pages/assets';
const largestBytes = 25 * 1024 * 1024;

/** Files are stored once, by their hashes, and only with the token that a project hands out. */
export const pagesUploadFamily: Family = {
  name: 'pages-uploads',
  routes: [
    { method: 'GET', path: `${projectPath}/upload-token`, access: pagesAccess, run: handOut },
    { method: 'POST', path: `${assets}/check-missing`, access: uploadAccess, run: checkMissing },
    { method: 'POST', path: `${assets}/upload`, access: uploadAccess, run: upload },
    { method: 'POST', path: `${assets}/upsert-hashes`, access: uploadAccess, run: upsertHashes },
  ],
};

function handOut(call: Call): Reply {
  const { name } = findProject(call);
  return { result: { jwt: signUploadToken(param(call, 'account'), name, call.world.now()) } };
}

function accountOf({ request, world }: Call): string {
  return readUploadToken(request.headers['authorization'], world.now()).account;
}

function hashesOf(call: Call): readonly string[] {
  const { hashes } = toFields(call.body);
  if (!Array.isArray(hashes)) throw refusal(400, 8_000_014, 'hashes must be a list');
  return hashes.map(String);
}

function checkMissing(call: Call): Reply {
  const account = accountOf(call);
  return { result: hashesOf(call).filter((hash) => !call.state.get(pagesAssets, account, hash)) };
}

function upload(call: Call): Reply {
  const account = accountOf(call);
  const files: readonly unknown[] = Array.isArray(call.body) ? call.body : [];
  for (const file of files.filter(isFields)) {
    const id = textOf(file['key']) ?? '';
    const value = textOf(file['value']) ?? '';
    const bytes = Buffer.byteLength(value, file['base64'] === true ? 'base64' : 'utf8');
    if (!/^[0-9a-f]{32}$/.test(id)) throw refusal(400, 8_000_014, 'a key must have 32 hexadecimal digits');
    if (bytes > largestBytes) throw refusal(400, 8_000_016, 'a file has at most 25 MiB');
    const contentType = textOf(toFields(file['metadata'])['contentType']) ?? '';
    call.state.put(pagesAssets, account, id, { id, contentType, bytes });
  }
  return { result: null };
}

function upsertHashes(call: Call): Reply {
  const account = accountOf(call);
  const unknown = hashesOf(call).filter((hash) => !call.state.get(pagesAssets, account, hash));
  if (unknown.length > 0) throw refusal(400, 8_000_014, `not uploaded: ${unknown.join(', ')}`);
  return { result: null };
}
