import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Listening = { readonly port: number; readonly close: () => Promise<void> };

/** Listens; port 0 takes a free one. Closing ends open connections too. */
export async function listen(server: Server, { port, host }: { port: number; host: string }): Promise<Listening> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const { port: actual } = server.address() as AddressInfo;
  return {
    port: actual,
    close: async () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
