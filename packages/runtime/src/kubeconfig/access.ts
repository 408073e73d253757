// The way to a cluster over the network, for those who need nothing else of the runtime.
export { createUndiciTransport } from '../client/undici-transport.ts';
export { loadClusterAccess } from './load-cluster-access.ts';
export { systemAccessDeps } from './system-access-deps.ts';
