import { refusal } from '../../api/api-error.ts';
import { param } from '../../api/route.ts';
import type { Call } from '../../api/route.ts';
import { isUuid } from '../../ids/create-id-source.ts';
import { tunnels } from './tunnel.ts';
import type { Tunnel, TunnelType } from './tunnel.ts';

/** The tunnel of the path, deleted or not. */
export function findTunnel(call: Pick<Call, 'state' | 'params'>, type: TunnelType): Tunnel {
  const id = param(call, 'tunnel');
  if (!isUuid(id)) throw refusal(404, 1002, 'Invalid tunnel identifier');
  const tunnel = call.state.get(tunnels, param(call, 'account'), id.toLowerCase());
  if (!tunnel || tunnel.type !== type) throw refusal(404, 1003, 'Tunnel not found');
  return tunnel;
}

/** A deleted tunnel can be looked at and nothing else. */
export function findLiveTunnel(call: Pick<Call, 'state' | 'params'>, type: TunnelType): Tunnel {
  const tunnel = findTunnel(call, type);
  if (tunnel.deletedAt !== null) throw refusal(404, 1003, 'Tunnel not found');
  return tunnel;
}
