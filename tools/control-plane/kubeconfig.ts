/** A kubeconfig with one context; JSON is YAML too. */
export function toKubeconfig(access: { readonly url: string; readonly ca: string; readonly token: string }): string {
  const name = 'control-plane';
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name,
        cluster: { server: access.url, 'certificate-authority-data': Buffer.from(access.ca).toString('base64') },
      },
    ],
    users: [{ name, user: { token: access.token } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  };
  return `${JSON.stringify(config, undefined, 2)}\n`;
}
