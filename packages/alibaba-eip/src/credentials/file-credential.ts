import { parseYaml } from '@tributary/runtime';
import type { FileAccess } from '@tributary/runtime';
import { badCredential } from './access-key.ts';
import type { AccessKey, AccessKeySource } from './access-key.ts';

/**
 * The original's file, as a mounted Secret: `accessKeyID`, `accessKeySecret`, and for a session `securityToken`; other
 * keys are ignored. It is read again when it changes, so a rotation needs no restart. While a rotation is half done the
 * old key is used.
 */
export function createFileCredential(path: string, files: FileAccess): AccessKeySource {
  let held: { readonly key: AccessKey; readonly modifiedMs: number } | undefined;
  return async () => {
    try {
      const modifiedMs = await files.modifiedMs(path);
      if (held?.modifiedMs !== modifiedMs) held = { key: parseKey(await files.readFile(path), path), modifiedMs };
    } catch (error) {
      if (!held)
        throw error instanceof Error && 'retry' in error ? error : badCredential(`${path} cannot be read`, error);
    }
    return held.key;
  };
}

function parseKey(text: string, path: string): AccessKey {
  const parsed = readMap(text, path);
  const textOf = (name: string): string => (typeof parsed[name] === 'string' ? parsed[name].trim() : '');
  const [accessKeyId, accessKeySecret, securityToken] = ['accessKeyID', 'accessKeySecret', 'securityToken'].map(textOf);
  if (!accessKeyId || !accessKeySecret) throw badCredential(`${path} needs accessKeyID and accessKeySecret`);
  return { accessKeyId, accessKeySecret, ...(securityToken && { securityToken }) };
}

/** A parser's complaint quotes the text, which is secret. */
function readMap(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    return (parseYaml(text) ?? {}) as Readonly<Record<string, unknown>>;
  } catch {
    throw badCredential(`${path} is not YAML`);
  }
}
