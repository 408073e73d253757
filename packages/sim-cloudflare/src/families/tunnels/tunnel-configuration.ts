import { refusal } from '../../api/api-error.ts';
import { isFields } from '../../api/fields.ts';
import type { Fields } from '../../api/fields.ts';
import { timestamp } from '../../api/route.ts';
import type { Call, Reply } from '../../api/route.ts';
import type { Reader } from '../../store/table.ts';
import { checkConfiguration } from './check-ingress.ts';
import { findLiveTunnel } from './find-tunnel.ts';
import { tunnelConfigurations, tunnels } from './tunnel.ts';
import type { Tunnel } from './tunnel.ts';

export function getConfiguration(call: Call): Reply {
  const tunnel = findLiveTunnel(call, 'cfd_tunnel');
  const stored = call.state.get(tunnelConfigurations, tunnel.accountId, tunnel.id);
  if (!stored && (tunnel.configSource === 'local' || call.world.unconfiguredTunnel === 'error')) {
    throw refusal(404, 1055, 'Configuration for tunnel not found');
  }
  return { result: toConfiguration(call.state, tunnel) };
}

/** Replaces everything; each call makes a new version, equal or not, and there is nothing to hold a writer back. */
export function putConfiguration(call: Call): Reply {
  const tunnel = findLiveTunnel(call, 'cfd_tunnel');
  const config = isFields(call.body) ? call.body['config'] : undefined;
  if (!isFields(config)) throw refusal(400, 1056, 'Bad Configuration: config must be an object');
  checkConfiguration(config);
  const { accountId, id } = tunnel;
  const version = configurationVersion(call.state, tunnel) + 1;
  const createdAt = timestamp(call.world);
  call.state.put(tunnelConfigurations, accountId, id, { tunnelId: id, version, config: readBack(config), createdAt });
  call.state.put(tunnels, accountId, id, { ...tunnel, configSource: 'cloudflare' });
  return { result: toConfiguration(call.state, tunnel) };
}

export function configurationVersion(state: Reader, { accountId, id }: Tunnel): number {
  return state.get(tunnelConfigurations, accountId, id)?.version ?? 0;
}

function toConfiguration(state: Reader, { accountId, id, createdAt }: Tunnel): unknown {
  const stored = state.get(tunnelConfigurations, accountId, id);
  return {
    tunnel_id: id,
    version: stored?.version ?? 0,
    config: stored?.config ?? null,
    source: 'cloudflare',
    created_at: stored?.createdAt ?? createdAt,
  };
}

/** What was sent, with the empty blocks that the server adds. */
function readBack(config: Fields): Fields {
  const ingress = (config['ingress'] ?? []) as readonly Fields[];
  return {
    ...config,
    ingress: ingress.map((rule) => ({ ...rule, originRequest: rule['originRequest'] ?? {} })),
    'warp-routing': config['warp-routing'] ?? { enabled: false },
  };
}
