import type { UserInfo } from '../registry/admission.ts';

/** What a caller showed of itself when it opened the connection. */
export type ClientCertificate = {
  /** Signed by the authority of the cluster, for a client, and of today. */
  readonly trusted: boolean;
  readonly commonName: string;
  readonly organizations: readonly string[];
  /** SHA-256 of the certificate, hexadecimal in lower case. */
  readonly fingerprint: string;
};

export function certificateUser({ commonName, organizations, fingerprint }: ClientCertificate): UserInfo {
  return {
    username: commonName,
    groups: organizations,
    extra: { 'authentication.kubernetes.io/credential-id': [`X509SHA256=${fingerprint}`] },
  };
}
