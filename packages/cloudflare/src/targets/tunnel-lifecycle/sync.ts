import { isCloudflareError, listAll } from '@tributary/cloudflare-api';
import { hash } from 'node:crypto';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { unlessGone } from '../unless-gone.ts';
import { aggregateLifecycle } from './aggregate.ts';
import type { WantedTunnel } from './aggregate.ts';
import { tokenHashOutput, tunnelLifecycleContract } from './contract.ts';
import type { TunnelLifecycleConfig, TunnelLifecycleKey } from './contract.ts';
import { toSecrets } from './tunnel-secrets.ts';

export type ObservedTunnel = {
  readonly id: string;
  readonly name: string;
  /** `local` tunnels take their rules from a file beside cloudflared, not from us. */
  readonly configSource: 'local' | 'cloudflare';
  readonly createdAt: string | undefined;
};

/** A connector that comes back between the two calls keeps the tunnel in use. */
const deletionTries = 3;

export const tunnelLifecycleTarget = defineTarget<
  TunnelLifecycleKey,
  TunnelLifecycleConfig,
  WantedTunnel,
  ObservedTunnel
>({
  contract: tunnelLifecycleContract,
  aggregate: aggregateLifecycle,
  scope: ({ accountId }) => `tunnels/${accountId}`,
  observe: {
    lookup: async ({ key, id }, call) => lookup(key, id, call),
    list: async ({ accountId }, call) => list(accountId, {}, call),
  },
  idOf: ({ id }) => id,
  bornAt: ({ createdAt }) => createdAt,
  relation: (wanted, { id, name, configSource }, key) => {
    if ('tunnelId' in key) return id === key.tunnelId ? 'same' : 'none';
    if (name !== key.name) return 'none';
    return wanted.create && configSource === 'local' ? 'blocks' : 'same';
  },
  difference: ({ create, name }, observed) => (create && name !== observed.name ? ['name'] : []),
  create: {
    allowed: ({ create }) => create,
    // A tunnel has no place for a mark, and a name that is taken tells nothing about by whom.
    repeatable: 'intent',
    run: async ({ name }, { accountId }, { api, signal }) =>
      toObserved(
        await api.zeroTrust.tunnels.cloudflared.create(
          { account_id: accountId, name: name ?? '', config_src: 'cloudflare' },
          { signal },
        ),
      ),
  },
  update: async ({ key, wanted, observed }, { api, signal }) =>
    toObserved(
      await api.zeroTrust.tunnels.cloudflared.edit(
        observed.id,
        { account_id: key.accountId, name: wanted.name ?? observed.name },
        { signal },
      ),
    ),
  giveUp: ({ created }) => (created ? 'delete' : 'retain'),
  remove: async ({ id }, { accountId }, call) => remove(id, accountId, call),
  outputs: ({ id, name }, _desired, secrets) => {
    const token = secrets.find(({ data }) => data['token'] !== undefined)?.data['token'];
    return {
      data: {
        tunnelId: id,
        tunnelName: name,
        ...(token !== undefined && { [tokenHashOutput]: hash('sha256', token) }),
      },
    };
  },
  // The token can be read at any time, so it is: nothing is lost when a Secret is.
  secrets: async (observed, { secrets }, { accountId }, { api, signal }) => {
    const token = await api.zeroTrust.tunnels.cloudflared.token.get(observed.id, { account_id: accountId }, { signal });
    return toSecrets(token, observed.name, secrets);
  },
});

async function lookup(
  key: TunnelLifecycleKey,
  knownId: string | undefined,
  call: Call,
): Promise<readonly ObservedTunnel[]> {
  const { accountId } = key;
  const id = knownId ?? ('tunnelId' in key ? key.tunnelId : undefined);
  const known = id === undefined ? undefined : await get(id, accountId, call);
  if (known) return [known];
  return 'name' in key ? list(accountId, { name: key.name }, call) : [];
}

async function get(id: string, accountId: string, { api, signal }: Call): Promise<ObservedTunnel | undefined> {
  const found = await unlessGone(api.zeroTrust.tunnels.cloudflared.get(id, { account_id: accountId }, { signal }));
  return found && toObserved(found);
}

async function list(
  accountId: string,
  filter: { readonly name?: string },
  { api, signal }: Call,
): Promise<readonly ObservedTunnel[]> {
  const asked = { account_id: accountId, is_deleted: false, per_page: 1000, ...filter };
  const tunnels = await listAll(api.zeroTrust.tunnels.cloudflared.list(asked, { signal }));
  return tunnels.filter((tunnel) => !(tunnel as RemoteTunnel).deleted_at).map(toObserved);
}

async function remove(id: string, accountId: string, { api, signal }: Call): Promise<void> {
  const tunnels = api.zeroTrust.tunnels.cloudflared;
  for (let tries = 1; ; tries += 1) {
    try {
      await tunnels.connections.delete(id, { account_id: accountId }, { signal });
      await tunnels.delete(id, { account_id: accountId }, { signal });
      return;
    } catch (error) {
      if (isCloudflareError(error, 'not-found')) return;
      if (!isCloudflareError(error, 'in-use') || tries >= deletionTries) throw error;
    }
  }
}

type RemoteTunnel = {
  readonly id?: string;
  readonly name?: string;
  readonly config_src?: string;
  readonly created_at?: string;
  readonly deleted_at?: string | null;
};

function toObserved(tunnel: object): ObservedTunnel {
  const { id = '', name = '', config_src: source, created_at: createdAt } = tunnel as RemoteTunnel;
  return { id, name, configSource: source === 'local' ? 'local' : 'cloudflare', createdAt };
}
