/** The name below which Cloudflare finds a tunnel: what records of its hosts point to. */
export function tunnelHost(tunnelId: string): string {
  return `${tunnelId}.cfargotunnel.com`;
}
