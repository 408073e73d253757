import { apiVersionOf } from '@tributary/runtime';
import type { Kind } from '@tributary/runtime';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import { contribution } from '../../engine/l4-state/contract.ts';
import type { Contribution } from '../../engine/l4-state/contract.ts';
import { priorities, sourceId } from '../../engine/l4-state/source.ts';
import { defaultFallback, tunnelConfigurationContract } from '../../targets/tunnel-configuration/contract.ts';
import type { TunnelConfigurationConfig } from '../../targets/tunnel-configuration/contract.ts';
import { tokenHashOutput, tunnelLifecycleContract } from '../../targets/tunnel-lifecycle/contract.ts';
import type { TunnelLifecycleConfig, TunnelLifecycleKey } from '../../targets/tunnel-lifecycle/contract.ts';
import { credentialsOf } from '../credentials-of.ts';
import type { Account } from '../credentials-of.ts';
import { zoneOf } from '../zone-of.ts';
import { serviceProblem } from './check-rule.ts';
import { certificateFolder } from './cloudflared-deployment.ts';
import { readDeployPatch } from './deploy-patch.ts';
import type { Json } from './strategic-merge.ts';
import type { TunnelObject, TunnelSpec } from './tunnel-shape.ts';

export type ResolvedTunnel = {
  readonly account: Account;
  /** Where cloudflared runs and the Secrets are. */
  readonly namespace: string;
  readonly patch: Json;
  readonly zoneId: string;
  readonly lifecycle: Contribution;
  /** What is known of the tunnel once it is there and this object may use it. */
  readonly tunnel?: { readonly id: string; readonly name: string; readonly tokenHash?: string };
};

export function resolveTunnel(object: TunnelObject, kind: Kind<TunnelObject>, refs: Refs): Resolution<ResolvedTunnel> {
  const { spec, metadata } = object;
  const patch = readDeployPatch(spec.deployPatch);
  if (!patch.ok) return invalid(patch.message);
  if (spec.existingTunnel && !spec.existingTunnel.id && !spec.existingTunnel.name) {
    return invalid('spec.existingTunnel: id or name must be given');
  }
  const wrong = serviceProblem(spec.fallbackTarget || defaultFallback);
  if (wrong !== undefined) return invalid(`spec.fallbackTarget: ${wrong}`);
  const account = credentialsOf(refs, spec.cloudflare, metadata.namespace);
  if (!account.ok) return account;
  const namespace = metadata.namespace ?? refs.operatorNamespace;
  const config = toLifecycle(object, kind, namespace);
  const { credentials, accountId } = account.value;
  const options = { credentials, priority: spec.priority ?? priorities.highest };
  const lifecycle = contribution(tunnelLifecycleContract, toKey(spec, accountId), config, options);
  // The zone is only shown: a tunnel works without one.
  const zone = spec.cloudflare.zoneId || spec.cloudflare.domain ? zoneOf(refs, toZoneQuestion(object)) : undefined;
  const tunnel = knownTunnel(object, kind, lifecycle, refs);
  return {
    ok: true,
    value: {
      account: account.value,
      namespace,
      patch: patch.patch,
      zoneId: zone?.ok ? zone.value.zoneId : '',
      lifecycle,
      ...(tunnel && { tunnel }),
    },
  };
}

/** What the tunnel says about every rule: the settings of cloudflared that are kept at Cloudflare. */
export function toConfiguration({ spec }: TunnelObject, { account, tunnel }: ResolvedTunnel): readonly Contribution[] {
  if (!tunnel) return [];
  const { credentials, accountId } = account;
  const options = {
    ...(spec.noTlsVerify && { noTLSVerify: true }),
    ...(spec.originCaPool && { caPool: `${certificateFolder}/tls.crt` }),
  };
  const config: TunnelConfigurationConfig = {
    fallbackTarget: spec.fallbackTarget || defaultFallback,
    ...(spec.enableWarpRouting && { warpRouting: { enabled: true } }),
    ...(Object.keys(options).length > 0 && { globalOriginRequest: options }),
  };
  const key = { accountId, tunnelId: tunnel.id };
  const priority = spec.priority ?? priorities.highest;
  return [contribution(tunnelConfigurationContract, key, config, { credentials, priority })];
}

function toKey({ newTunnel, existingTunnel }: TunnelSpec, accountId: string): TunnelLifecycleKey {
  if (existingTunnel?.id) return { accountId, tunnelId: existingTunnel.id };
  return { accountId, name: newTunnel?.name ?? existingTunnel?.name ?? '' };
}

function toLifecycle(object: TunnelObject, kind: Kind<TunnelObject>, namespace: string): TunnelLifecycleConfig {
  const { spec, metadata } = object;
  const { name = '', uid = '', annotations } = metadata;
  const { newTunnel, existingTunnel } = spec;
  const tunnelName = newTunnel?.name ?? existingTunnel?.name;
  const adopt = annotations?.['cloudflare-operator.io/adopt'] === 'true';
  return {
    action: newTunnel ? 'create' : 'use',
    ...(tunnelName !== undefined && { tunnelName }),
    ...(existingTunnel?.id && { tunnelId: existingTunnel.id }),
    ...(adopt && { adopt }),
    secrets: {
      namespace,
      token: tokenSecretOf(name),
      // The user's own Secret with the API token may have the name that the credentials file would get.
      ...(spec.cloudflare.secret !== name && { credentials: name }),
      owner: { apiVersion: apiVersionOf(kind), kind: kind.kind, name, uid },
    },
  };
}

export function tokenSecretOf(name: string): string {
  return `${name}-token`;
}

function toZoneQuestion({ spec, metadata }: TunnelObject): Parameters<typeof zoneOf>[1] {
  return { cloudflare: spec.cloudflare, namespace: metadata.namespace };
}

/** Whoever lost the tunnel to another object must not run it. */
function knownTunnel(
  { metadata }: TunnelObject,
  { kind }: Kind<TunnelObject>,
  { syncState }: Contribution,
  refs: Refs,
): ResolvedTunnel['tunnel'] {
  const { status, spec } = refs.syncState(syncState.name) ?? {};
  const me = sourceId({ kind, namespace: metadata.namespace, name: metadata.name ?? '' });
  const isSource = spec?.sources?.some(({ ref }) => sourceId(ref) === me);
  const hasLost = status?.losers?.some(({ ref }) => sourceId(ref) === me);
  if (!status?.cloudflareID || !isSource || hasLost) return undefined;
  const tokenHash = status.resultData?.[tokenHashOutput];
  return {
    id: status.cloudflareID,
    name: status.resultData?.['tunnelName'] ?? '',
    ...(tokenHash !== undefined && { tokenHash }),
  };
}

function invalid(message: string): Extract<Resolution<never>, { readonly ok: false }> {
  return { ok: false, state: 'broken', reason: 'InvalidSpec', message };
}
