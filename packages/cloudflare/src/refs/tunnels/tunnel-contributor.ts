import type { Kind } from '@tributary/runtime';
import { defineContributor } from '../../engine/l2-controllers/contributor.ts';
import type { Child, Contributor, View } from '../../engine/l2-controllers/contributor.ts';
import { cloudflareCredentialsKind } from '../../kinds/cloudflare-credentials/resource.ts';
import { cloudflareDomainKind } from '../../kinds/cloudflare-domain/resource.ts';
import { toDeployment } from './cloudflared-deployment.ts';
import { deploymentKind } from './deployment-kind.ts';
import { resolveTunnel, toConfiguration, tokenSecretOf } from './resolve-tunnel.ts';
import type { ResolvedTunnel } from './resolve-tunnel.ts';
import type { TunnelObject, TunnelStatus } from './tunnel-shape.ts';

/** Tunnel and ClusterTunnel: the tunnel itself, its settings, and cloudflared that runs it. */
export function defineTunnelContributor(kind: Kind<TunnelObject>): Contributor<TunnelObject, ResolvedTunnel> {
  return defineContributor<TunnelObject, ResolvedTunnel>({
    kind,
    finalizer: `${kind.kind.toLowerCase()}.cloudflare-operator.io/finalizer`,
    formerFinalizers: ['cloudflare-operator.io/finalizer'],
    reads: [cloudflareCredentialsKind, cloudflareDomainKind],
    childKinds: [deploymentKind],
    resolve: (object, refs) => resolveTunnel(object, kind, refs),
    contribute: (object, resolved) => [resolved.lifecycle, ...toConfiguration(object, resolved)],
    children: (object, resolved) => toChildren(object, resolved),
    status: (object, view, refs) => {
      const resolved = resolveTunnel(object, kind, refs);
      return toStatus(object, view, resolved.ok ? resolved.value : undefined);
    },
    emptyStatus: { tunnelId: '', tunnelName: '', accountId: '', zoneId: '' },
    formerSecrets: ({ metadata }, operatorNamespace) => {
      const { name = '', namespace = operatorNamespace } = metadata;
      return [{ namespace, name, finalizer: `cloudflare-operator.io/secret-finalizer-${name}` }];
    },
    ready: { synced: 'Reconciled', pending: 'Creating', failed: 'Failed' },
  });
}

function toChildren({ metadata, spec }: TunnelObject, { tunnel, namespace, patch }: ResolvedTunnel): readonly Child[] {
  const { name = '' } = metadata;
  if (tunnel?.tokenHash === undefined) return [];
  const { protocol, originCaPool } = spec;
  const { tokenHash } = tunnel;
  const tokenSecret = tokenSecretOf(name);
  const object = toDeployment({ name, namespace, protocol, tokenSecret, tokenHash, originCaPool, patch });
  return [{ kind: deploymentKind, object }];
}

/** The four ids must be there in every status, empty while they are not known. */
function toStatus({ status, metadata }: TunnelObject, view: View, resolved: ResolvedTunnel | undefined): TunnelStatus {
  const state = stateOf(view, resolved?.tunnel !== undefined, metadata.deletionTimestamp !== undefined);
  const { tunnelId = '', tunnelName = '', accountId = '', zoneId = '' } = status ?? {};
  if (!resolved) return { tunnelId, tunnelName, accountId, zoneId, state };
  const { tunnel } = resolved;
  const lost = view.losses.length > 0;
  return {
    tunnelId: tunnel?.id ?? (lost ? '' : tunnelId),
    tunnelName: tunnel?.name ?? (lost ? '' : tunnelName),
    accountId: resolved.account.accountId,
    zoneId: resolved.zoneId,
    state,
  };
}

function stateOf(view: View, known: boolean, deleting: boolean): NonNullable<TunnelStatus['state']> {
  if (deleting) return 'deleting';
  if (view.state === 'Error' || view.losses.length > 0) return 'error';
  if (view.state === 'Synced' && known) return 'active';
  return view.parts.length > 0 ? 'creating' : 'pending';
}
