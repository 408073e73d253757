export type KubeconfigParts = { readonly server: string; readonly ca: string; readonly token: string };

/** A kubeconfig with one cluster and one user, who comes with a token. */
export function kubeconfigText({ server, ca, token }: KubeconfigParts): string {
  return `apiVersion: v1
kind: Config
clusters:
- name: tributary
  cluster:
    server: ${server}
    certificate-authority-data: ${Buffer.from(ca).toString('base64')}
users:
- name: admin
  user:
    token: ${JSON.stringify(token)}
contexts:
- name: tributary
  context:
    cluster: tributary
    user: admin
current-context: tributary
`;
}
