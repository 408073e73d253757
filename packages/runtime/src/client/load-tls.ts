import { createSecureContext } from 'node:tls';
import type { ClusterTls, Credentials, FileAccess, PemSource } from '../kubeconfig/cluster-access.ts';
import { OperatorError } from '../operator-error.ts';

/** TLS settings with the files read, as `tls.connect` takes them. */
export type TlsSettings = {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
  readonly servername?: string;
  readonly rejectUnauthorized: boolean;
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
  const pem = { ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
  try {
    createSecureContext(pem);
  } catch (error) {
    const names = [tls.ca, tls.cert, tls.key].flatMap((source) => (source && 'file' in source ? [source.file] : []));
    const from = names.length === 0 ? '' : ` from ${names.join(', ')}`;
    throw new OperatorError(
      'kube/bad-tls',
      `certificate authority, certificate and key${from} do not fit together: ${(error as Error).message}`,
      { kind: 'backoff' },
    );
  }
  return {
    ...pem,
    ...(tls.serverName && { servername: tls.serverName }),
    rejectUnauthorized: tls.insecure !== true,
  };
}

/** The times of last change of all files involved, as one text to compare. */
export async function fingerprint(tls: ClusterTls, files: FileAccess): Promise<string> {
  const times: number[] = [];
  for (const source of [tls.ca, tls.cert, tls.key]) {
    if (source && 'file' in source) times.push(await files.modifiedMs(source.file));
  }
  return times.join(' ');
}

async function readPem(source: PemSource | undefined, files: FileAccess): Promise<string | undefined> {
  if (source === undefined) return undefined;
  if ('data' in source) return source.data;
  try {
    return await files.readFile(source.file);
  } catch (cause) {
    throw new OperatorError('kube/bad-tls', `${source.file} cannot be read: ${(cause as Error).message}`, {
      kind: 'backoff',
    });
  }
}
