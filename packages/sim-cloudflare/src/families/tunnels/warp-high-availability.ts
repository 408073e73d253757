import { refusal } from '../../api/api-error.ts';
import { textOf, toFields } from '../../api/fields.ts';
import { timestamp } from '../../api/route.ts';
import type { Call, Reply } from '../../api/route.ts';
import { defineTable } from '../../store/table.ts';
import { findLiveTunnel } from './find-tunnel.ts';
import { connectors } from './tunnel.ts';
import type { Tunnel } from './tunnel.ts';

type HighAvailability = {
  readonly mode: string;
  readonly version: number;
  readonly config: unknown;
  readonly updatedAt: string;
};

/** By account, one per WARP connector that was ever configured. */
const highAvailability = defineTable<HighAvailability>('warp_high_availability');

const modes: ReadonlySet<string> = new Set(['none', 'disabled', 'aws', 'local']);

export function getHighAvailability(call: Call): Reply {
  return { result: shown(call, findLiveTunnel(call, 'warp_connector')) };
}

export function putHighAvailability(call: Call): Reply {
  const tunnel = findLiveTunnel(call, 'warp_connector');
  const fields = toFields(call.body);
  const mode = textOf(fields['ha_mode']) ?? '';
  if (!modes.has(mode)) throw refusal(400, 1056, 'Bad Configuration: ha_mode must be none, disabled, aws or local');
  const version = (call.state.get(highAvailability, tunnel.accountId, tunnel.id)?.version ?? 0) + 1;
  const row = { mode, version, config: fields['config'] ?? null, updatedAt: timestamp(call.world) };
  call.state.put(highAvailability, tunnel.accountId, tunnel.id, row);
  return { result: shown(call, tunnel) };
}

/** Moves the active node; there must be such a replica. */
export function failover(call: Call): Reply {
  const tunnel = findLiveTunnel(call, 'warp_connector');
  const client = textOf(toFields(call.body)['client_id']) ?? '';
  if (!call.state.get(connectors, tunnel.id, client)) throw refusal(404, 1003, 'Connector not found');
  return { result: null };
}

function shown({ state }: Call, { accountId, id, createdAt }: Tunnel): unknown {
  const row = state.get(highAvailability, accountId, id);
  return {
    tunnel_id: id,
    ha_mode: row?.mode ?? 'none',
    configuration_version: row?.version ?? 0,
    config: row?.config ?? null,
    created_at: createdAt,
    updated_at: row?.updatedAt ?? null,
  };
}
