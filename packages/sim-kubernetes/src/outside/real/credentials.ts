import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export type User = { readonly name: string; readonly groups: readonly string[] };

export type Credentials = { readonly token: string; readonly userTokens: Readonly<Record<string, string>> };

/** Writes what the API server authenticates with: the key of ServiceAccount tokens, and a token for each user. */
export function writeCredentials(folder: string, users: readonly User[]): Credentials {
  const keys = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  writeFileSync(join(folder, 'sa.key'), keys.privateKey);
  writeFileSync(join(folder, 'sa.pub'), keys.publicKey);
  const token = randomBytes(16).toString('hex');
  const userTokens = Object.fromEntries(users.map(({ name }) => [name, randomBytes(16).toString('hex')]));
  const lines = users.map(({ name, groups }) => `${userTokens[name]},${name},${name},"${groups.join(',')}"`);
  writeFileSync(join(folder, 'tokens.csv'), [`${token},admin,admin,system:masters`, ...lines, ''].join('\n'));
  return { token, userTokens };
}
