import { createSecureContext } from 'node:tls';
import type { SecureContext } from 'node:tls';
import type { ClusterTls, Credentials, FileAccess, PemSource } from '../kubeconfig/cluster-access.ts';
import { OperatorError } from '../operator-error.ts';

/** TLS settings with the files read, as `tls.connect` takes them. */
export type TlsSettings = {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
  /** Made once: each connection would otherwise parse the same certificates anew, which takes longer than its handshake. */
  readonly secureContext: SecureContext;
};

/**
 * Reads what is in files and makes sure that it fits together: during a rotation the certificate may already be
 * the new one while the key is still the old. A certificate in the credentials goes before one in the settings.
 */
export async function loadTls(tls: ClusterTls, credentials: Credentials, files: FileAccess): Promise<TlsSettings> {
  const { certificate } = credentials;
  const ca = await readPem(tls.ca, files);
  const cert = certificate?.cert ?? (await readPem(tls.cert, files));
  const key = certificate?.key ?? (await readPem(tls.key, files));
  let secureContext: SecureContext;
  const pem = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  try {
    // Node ignores an authority that is empty or no PEM, and would trust the system's instead.
    if (ca !== undefined && !ca.includes('-----BEGIN ')) throw new Error('the authority is no PEM');
    secureContext = createSecureContext(pem);
  } catch (error) {
    throw badTls(`certificate authority, certificate and key${namesOf(tls)} do not fit: ${(error as Error).message}`);
  }
  return {
    ...pem,
    ...(tls.serverName && { servername: tls.serverName }),
    rejectUnauthorized: tls.insecure !== true,
    secureContext,
  };
}

/** The times of last change of all files involved, as one text to compare. A missing file has none. */
export async function fingerprint(tls: ClusterTls, files: FileAccess): Promise<string> {
  const times = [tls.ca, tls.cert, tls.key].map(async (source) =>
    source && 'file' in source ? files.modifiedMs(source.file).catch(() => 'missing') : '',
  );
  return (await Promise.all(times)).join(' ');
}

async function readPem(source: PemSource | undefined, files: FileAccess): Promise<string | undefined> {
  if (source === undefined) return undefined;
  if ('data' in source) return source.data;
  try {
    return await files.readFile(source.file);
  } catch (cause) {
    throw badTls(`${source.file} cannot be read: ${(cause as Error).message}`);
  }
}

function namesOf(tls: ClusterTls): string {
  const names = [tls.ca, tls.cert, tls.key].flatMap((source) => (source && 'file' in source ? [source.file] : []));
  return names.length === 0 ? '' : ` from ${names.join(', ')}`;
}

function badTls(message: string): OperatorError {
  return new OperatorError('kube/bad-tls', message, { kind: 'backoff' });
}
