import { createPrivateKey, createPublicKey } from 'node:crypto';
import { requestedKey } from '@tributary/runtime/signing-request';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { toUse } from '../../refs/access/used-secret.ts';
import { credentialsOf } from '../../refs/credentials-of.ts';
import type { Account } from '../../refs/credentials-of.ts';
import type { OriginCaCertificateConfig } from '../../targets/origin-ca-certificate/contract.ts';
import type { OriginCaCertificate } from './resource.ts';

export type ResolvedKey = { readonly account: Account } & Pick<OriginCaCertificateConfig, 'makes' | 'key'>;

type Failed = Extract<Resolution<never>, { readonly ok: false }>;

/** With which key: one that we make, or one that the object points to. */
export function resolveKey(object: OriginCaCertificate, refs: Refs): Resolution<ResolvedKey> {
  const { spec, metadata } = object;
  const account = credentialsOf(refs, { credentialsRef: spec.credentialsRef }, metadata.namespace);
  if (!account.ok) return account;
  if (spec.privateKey?.secretRef) return withOwnKey(object, account.value, refs);
  if (spec.csr) return invalid('spec.csr: needs the key that it was made with, privateKey.secretRef');
  if (!secretOf(object)) {
    return invalid('spec.secretSync.enabled: must be true, for nobody else would have the private key');
  }
  const { algorithm = 'RSA', size = 2048 } = spec.privateKey ?? {};
  if (algorithm === 'RSA' && ![2048, 3072, 4096].includes(size)) {
    return invalid(`spec.privateKey.size: an RSA key has 2048, 3072 or 4096 bits, not ${size}`);
  }
  const bits = algorithm === 'RSA' || size === 384 ? size : 256;
  return { ok: true, value: { account: account.value, makes: { algorithm, size: bits } } };
}

/** Where certificate and key go; nowhere when the object says so. */
export function secretOf({
  metadata,
  spec,
}: OriginCaCertificate): { readonly namespace: string; readonly name: string } | undefined {
  const { enabled = true, secretName, namespace } = spec.secretSync ?? {};
  if (!enabled) return undefined;
  return { namespace: namespace || (metadata.namespace ?? ''), name: secretName || (metadata.name ?? '') };
}

const formerEntry = 'private-key';

function withOwnKey({ spec, metadata }: OriginCaCertificate, account: Account, refs: Refs): Resolution<ResolvedKey> {
  const { name = '', namespace = '', key: entry = 'tls.key' } = spec.privateKey?.secretRef ?? {};
  // Whoever may make such objects here must not come to the keys of another namespace by them.
  if (namespace !== '' && namespace !== metadata.namespace) {
    return invalid('spec.privateKey.secretRef.namespace: must be the namespace of the object');
  }
  const place = { namespace: metadata.namespace ?? '', name };
  const secret = refs.secret(place);
  if (!secret.ok) {
    const state = secret.reason === 'NotReady' ? 'waiting' : 'broken';
    return { ok: false, state, reason: 'InvalidSecret', message: `spec.privateKey.secretRef: ${secret.message}` };
  }
  const { data = {} } = secret.value;
  const found = [entry, formerEntry].find((one) => data[one]);
  const pem = Buffer.from(data[found ?? ''] ?? '', 'base64').toString();
  const problem = keyProblem(pem, spec.csr);
  if (problem !== undefined || found === undefined) {
    const message = `spec.privateKey.secretRef: ${entry} of Secret ${name} ${problem ?? 'is missing'}`;
    return { ok: false, state: 'broken', reason: 'InvalidSecret', message };
  }
  const key = toUse(place, { key: found }, { key: pem }, metadata.uid);
  return { ok: true, value: { account, key } };
}

function keyProblem(pem: string, csr: string | undefined): string | undefined {
  try {
    const publicKey = createPublicKey(createPrivateKey(pem));
    if (!['rsa', 'ec'].includes(publicKey.asymmetricKeyType ?? '')) return 'is no RSA or ECDSA key';
    return csr && !requestedKey(csr)?.equals(publicKey) ? 'is not the key that spec.csr was made with' : undefined;
  } catch {
    return 'is no private key';
  }
}

function invalid(message: string): Failed {
  return { ok: false, state: 'broken', reason: 'InvalidSpec', message };
}
