import type { Transport } from '@tributary/runtime';

/** A transport that counts what goes through it, watches included. */
export function countCalls(transport: Transport): { readonly transport: Transport; readonly calls: () => number } {
  let calls = 0;
  return {
    transport: {
      ...transport,
      request: async (request) => {
        calls += 1;
        return transport.request(request);
      },
      stream: async (request, handler) => {
        calls += 1;
        return transport.stream(request, handler);
      },
    },
    calls: () => calls,
  };
}
