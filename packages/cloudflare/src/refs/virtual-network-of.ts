import type { Refs, Resolution } from '../engine/l2-controllers/contributor.ts';
import { virtualNetworkKind } from '../kinds/virtual-network/resource.ts';

/** One of them. An id beats an object's name. */
export type VirtualNetworkRef = {
  readonly name?: string | undefined;
  readonly cloudflareId?: string | undefined;
};

/** The id of the virtual network that an object refers to; empty for the account's default one. */
export function virtualNetworkOf(refs: Refs, ref: VirtualNetworkRef | undefined): Resolution<string> {
  if (ref?.cloudflareId) return { ok: true, value: ref.cloudflareId };
  if (!ref?.name) return { ok: true, value: '' };
  const network = refs.get(virtualNetworkKind, { name: ref.name });
  if (!network) {
    const message = `VirtualNetwork ${ref.name} is not there`;
    return { ok: false, state: 'broken', reason: 'DependencyError', message };
  }
  const id = network.status?.virtualNetworkId;
  if (id) return { ok: true, value: id };
  const message = `VirtualNetwork ${ref.name} has no id yet`;
  return { ok: false, state: 'waiting', reason: 'DependencyError', message };
}
