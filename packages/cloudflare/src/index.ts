// The public face of the Cloudflare operator.

export { allKinds } from './catalog.ts';
export { syncStateKind } from './engine/l4-state/sync-state.ts';
export { cloudflareCredentialsKind as credentialsKind } from './kinds/cloudflare-credentials/resource.ts';
export { clusterTunnelKind } from './kinds/cluster-tunnel/resource.ts';
export { dnsRecordKind } from './kinds/dns-record/resource.ts';
export { tunnelIngressClassConfigKind } from './kinds/tunnel-ingress-class-config/resource.ts';
export { createCloudflareOperator } from './operator.ts';
export type { CloudflareOperatorDeps, CloudflareOperatorOptions } from './operator.ts';
export { runCloudflare } from './main.ts';
export type { CloudflareFlags } from './main.ts';
export { tunnelConverters } from './conversion/tunnel-converters.ts';
export { cloudflareManifests } from './manifests.ts';
export type { CloudflareManifestOptions } from './manifests.ts';
