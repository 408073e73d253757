import type { WebhookAddress } from './webhook-transport.ts';

type NodeError = { readonly code?: string; readonly message?: string; readonly cert?: Certificate };
type Certificate = { readonly subjectaltname?: string };

const unverified = 'tls: failed to verify certificate: x509';
const unknownAuthority = `${unverified}: certificate signed by unknown authority`;

const words: Readonly<Record<string, string>> = {
  ECONNRESET: 'EOF',
  CERT_HAS_EXPIRED: `${unverified}: certificate has expired or is not yet valid`,
  CERT_NOT_YET_VALID: `${unverified}: certificate has expired or is not yet valid`,
  ERR_SSL_WRONG_VERSION_NUMBER: 'http: server gave HTTP response to HTTPS client',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'http: server gave HTTP response to HTTPS client',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  CERT_SIGNATURE_FAILURE: unknownAuthority,
};

const connectWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ETIMEDOUT: 'connection timed out',
};

/** Why a connection failed, in the words of Go. Where they are not known, the message of Node stands. */
export function goNetworkError(error: unknown, { host, port }: WebhookAddress, serverName: string): string {
  const { code = '', message = String(error), cert } = error as NodeError;
  const connect = connectWords[code];
  if (connect !== undefined) {
    return `dial tcp ${host.includes(':') ? `[${host}]` : host}:${port}: connect: ${connect}`;
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `dial tcp: lookup ${host}: no such host`;
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `${unverified}: ${wrongName(cert, serverName)}`;
  return words[code] ?? message;
}

function wrongName(cert: Certificate | undefined, serverName: string): string {
  const names = (cert?.subjectaltname ?? '').split(', ').map((name) => name.split(':'));
  const of = (kind: string): readonly string[] =>
    names.flatMap(([found, ...rest]) => (found === kind ? [rest.join(':')] : []));
  const isAddress = /^[\d.]+$|:/.test(serverName);
  const valid = isAddress ? of('IP Address') : of('DNS');
  if (valid.length > 0) return `certificate is valid for ${valid.join(', ')}, not ${serverName}`;
  if (isAddress) return `cannot validate certificate for ${serverName} because it doesn't contain any IP SANs`;
  return `certificate is not valid for any names, but wanted to match ${serverName}`;
}
