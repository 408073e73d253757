import { isCloudflareError, listAll } from '@tributary/cloudflare-api';
import { hash } from 'node:crypto';
import { defineTarget } from '../../engine/l5-sync/target.ts';
import type { Call } from '../../engine/l5-sync/target.ts';
import { firstWins } from '../first-wins.ts';
import { inUse } from '../in-use.ts';
import { unlessGone } from '../unless-gone.ts';
import { warpConnectorContract } from './contract.ts';
import type { WarpConnectorConfig, WarpConnectorKey } from './contract.ts';

type Desired = Pick<WarpConnectorConfig, 'name' | 'secret'>;

type Remote = {
  readonly id?: string;
  readonly name?: string;
  readonly created_at?: string;
  readonly deleted_at?: string | null;
};

/** The entry of the Secret, which is also the variable that the connector reads. */
const tokenEntry = 'TUNNEL_TOKEN';

export const warpConnectorTarget = defineTarget<WarpConnectorKey, WarpConnectorConfig, Desired, Remote>({
  contract: warpConnectorContract,
  aggregate: (sources, { name }) => {
    const { winner, losers } = firstWins(sources, `WARP connector ${name}`);
    return { ok: true, desired: { name, secret: winner.config.secret }, losers };
  },
  scope: ({ accountId }) => accountId,
  observe: {
    lookup: async ({ key, id }, call) => {
      const { accountId, name } = key;
      const known = id && (await unlessGone(connectors(call).get(id, { account_id: accountId }, toOptions(call))));
      return known ? [known] : list(accountId, { name }, call);
    },
    list: async ({ accountId }, call) => list(accountId, {}, call),
  },
  idOf: ({ id = '' }) => id,
  describe: ({ name = '' }) => name,
  bornAt: ({ created_at: createdAt }) => createdAt,
  relation: ({ name }, observed) => (observed.name === name ? 'same' : 'none'),
  difference: ({ name }, observed) => (observed.name === name ? [] : ['name']),
  create: {
    // There is no place for a mark, and a name that is taken tells nothing about by whom.
    repeatable: 'intent',
    run: async ({ name }, { accountId }, call) =>
      connectors(call).create({ account_id: accountId, name }, toOptions(call)),
  },
  update: async ({ key, wanted, observed }, call) => {
    const body = { account_id: key.accountId, name: wanted.name };
    return connectors(call).edit(observed.id ?? '', body, toOptions(call));
  },
  // One that was there before us stays when we go.
  giveUp: ({ created }) => (created ? 'delete' : 'retain'),
  remove: async ({ id = '' }, { accountId }, call) => remove(id, accountId, call),
  outputs: ({ id = '' }, _desired, [secret]) => ({
    data: { connectorId: id, ...(secret && { tokenHash: hash('sha256', secret.data[tokenEntry] ?? '') }) },
  }),
  // The token can be read at any time, so it is: nothing is lost when the Secret is.
  secrets: async ({ id = '' }, { secret }, { accountId }, call) => {
    const token = await connectors(call).token.get(id, { account_id: accountId }, toOptions(call));
    return [{ ...secret, data: { [tokenEntry]: token } }];
  },
});

function connectors({ api }: Call): Call['api']['zeroTrust']['tunnels']['warpConnector'] {
  return api.zeroTrust.tunnels.warpConnector;
}

function toOptions({ signal }: Call): { readonly signal: AbortSignal } {
  return { signal };
}

async function list(accountId: string, filter: { readonly name?: string }, call: Call): Promise<readonly Remote[]> {
  const asked = { account_id: accountId, is_deleted: false, per_page: 1000, ...filter };
  const all: readonly Remote[] = await listAll(connectors(call).list(asked, toOptions(call)));
  return all.filter((one) => !one.deleted_at);
}

/** Our own routes are on their way out, and the pods too; what others have laid through it is named. */
async function remove(id: string, accountId: string, call: Call): Promise<void> {
  try {
    await connectors(call).delete(id, { account_id: accountId }, toOptions(call));
  } catch (error) {
    // The code for routes that are left is not known for certain, so look for them.
    if (!isCloudflareError(error, 'validation', 'in-use', 'conflict')) throw error;
    const { routes } = call.api.zeroTrust.networks;
    const query = { account_id: accountId, tunnel_id: id, is_deleted: false };
    const found = await listAll(routes.list(query, toOptions(call)));
    if (found.length === 0) throw error;
    const names = found.slice(0, 5).map(({ network = '' }) => network);
    throw inUse(error, `${found.length} routes lead to it: ${names.join(', ')}`);
  }
}
