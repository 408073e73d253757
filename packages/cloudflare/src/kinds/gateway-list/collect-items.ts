import { configMapKind } from '@tributary/runtime';
import type { Refs, Resolution } from '../../engine/l2-controllers/contributor.ts';
import type { GatewayListItem } from '../../targets/gateway-list/contract.ts';
import type { GatewayList } from './resource.ts';

/** The items of the object, then those of its ConfigMap. */
export function collectItems(spec: GatewayList['spec'], refs: Refs): Resolution<readonly GatewayListItem[]> {
  const own = (spec.items ?? []).map(({ value, description }) => ({ value, ...(description && { description }) }));
  const { itemsFromConfigMap: from } = spec;
  if (!from) return { ok: true, value: own };
  const { name, key } = from;
  const namespace = from.namespace || 'default';
  const text = refs.get(configMapKind, { namespace, name })?.data?.[key];
  if (text !== undefined) return { ok: true, value: [...own, ...linesOf(text)] };
  const message = `spec.itemsFromConfigMap: ConfigMap ${namespace}/${name} with the entry ${key} is not there`;
  return { ok: false, state: 'broken', reason: 'CollectItemsFailed', message };
}

export function linesOf(text: string): readonly GatewayListItem[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((value) => ({ value }));
}
