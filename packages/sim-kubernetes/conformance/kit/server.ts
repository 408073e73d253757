import { afterAll, beforeAll } from 'vitest';
import { createWireClient } from './wire-client.ts';
import type { WireClient } from './wire-client.ts';
import type { ServerNeeds, ServerUnderTest } from './server-under-test.ts';
import { startEmbedded } from './embedded-server.ts';
import { reachReal } from './real-server.ts';

/** Gives a test file its server, chosen by TRIBUTARY_SERVER, and a raw client to it. */
export function useServer(needs: ServerNeeds = {}): {
  readonly api: WireClient;
  readonly server: () => ServerUnderTest;
} {
  let server: ServerUnderTest | undefined;
  let client: WireClient | undefined;
  beforeAll(async () => {
    server = await openServer(needs);
    client = createWireClient(server.endpoint);
  });
  afterAll(async () => {
    client?.close();
    await server?.stop();
  });
  const live = (): WireClient => {
    if (!client) throw new Error('the server is not there before the first test');
    return client;
  };
  const api: WireClient = {
    send: (call) => live().send(call),
    get: (...args) => live().get(...args),
    post: (...args) => live().post(...args),
    put: (...args) => live().put(...args),
    patch: (...args) => live().patch(...args),
    del: (...args) => live().del(...args),
    watch: (...args) => live().watch(...args),
    close: () => live().close(),
  };
  return { api, server: () => server as ServerUnderTest };
}

async function openServer(needs: ServerNeeds): Promise<ServerUnderTest> {
  const name = process.env['TRIBUTARY_SERVER'];
  if (name === 'sim') return startEmbedded(needs);
  if (name === 'real') return reachReal();
  throw new Error(`TRIBUTARY_SERVER must be sim or real, not ${String(name)}`);
}
