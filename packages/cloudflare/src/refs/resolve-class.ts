import type { KubeObject } from '@tributary/runtime';
import type { Refs, Resolution, View } from '../engine/l2-controllers/contributor.ts';
import type { OriginRequestShape } from './origin-request.ts';
import { toOriginRequest } from './origin-request.ts';
import { tunnelOf } from './tunnel-of.ts';
import type { TunnelFound, TunnelRef } from './tunnel-of.ts';

type ClassConfig = KubeObject & {
  readonly spec: {
    readonly tunnelRef: TunnelRef;
    readonly defaultOriginRequest?: Partial<OriginRequestShape> | undefined;
  };
};

/** The tunnel of a class, when its settings make sense. */
export function resolveClass({ spec, metadata }: ClassConfig, refs: Refs): Resolution<TunnelFound> {
  const [problem] = toOriginRequest(spec.defaultOriginRequest).problems;
  if (problem !== undefined) {
    return { ok: false, state: 'broken', reason: 'InvalidSpec', message: `spec.defaultOriginRequest.${problem}` };
  }
  return tunnelOf(refs, spec.tunnelRef, metadata.namespace ?? '');
}

/** What the status of a class always shows. */
export function classState(
  { spec, metadata }: ClassConfig,
  { state }: Pick<View, 'state'>,
  refs: Refs,
): { readonly tunnelId?: string; readonly tunnelName?: string; readonly state: 'pending' | 'active' | 'error' } {
  const tunnel = tunnelOf(refs, spec.tunnelRef, metadata.namespace ?? '');
  return {
    ...(tunnel.ok && { tunnelId: tunnel.value.tunnelId, tunnelName: tunnel.value.tunnelName }),
    state: state === 'Synced' ? 'active' : state === 'Error' ? 'error' : 'pending',
  };
}
