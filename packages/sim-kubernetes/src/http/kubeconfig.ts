import type { CertifiedKey } from '@tributary/runtime/certificates';

export type KubeconfigParts = {
  readonly server: string;
  readonly ca: string;
  readonly user: string;
} & ({ readonly token: string } | { readonly certificate: CertifiedKey });

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** A kubeconfig with one cluster and one user, who comes with a token or a certificate. */
export function kubeconfigText(parts: KubeconfigParts): string {
  const { server, ca, user } = parts;
  const name = JSON.stringify(user);
  const proof =
    'token' in parts
      ? `token: ${JSON.stringify(parts.token)}`
      : `client-certificate-data: ${base64(parts.certificate.certificate)}
    client-key-data: ${base64(parts.certificate.key)}`;
  return `apiVersion: v1
kind: Config
clusters:
- name: tributary
  cluster:
    server: ${server}
    certificate-authority-data: ${base64(ca)}
users:
- name: ${name}
  user:
    ${proof}
contexts:
- name: tributary
  context:
    cluster: tributary
    user: ${name}
current-context: tributary
`;
}
