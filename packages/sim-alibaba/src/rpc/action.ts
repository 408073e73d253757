import type { AccessKey } from '../credentials/create-credentials.ts';
import type { World } from '../world.ts';
import type { Params } from './params.ts';

export type Caller = Pick<AccessKey, 'id' | 'accountId'>;

export type ActionContext = {
  readonly params: Params;
  /** The one that the call names, or that of the endpoint. */
  readonly regionId: string;
  readonly caller: Caller;
  readonly world: World;
};

/** What the answer holds besides the request id. */
export type Reply = Readonly<Record<string, unknown>>;

export type Action = {
  readonly name: string;
  readonly product: 'vpc' | 'sts';
  readonly version: string;
  readonly write: boolean;
  /** Idempotent by ClientToken. */
  readonly byToken?: boolean;
  /** Needs no signature: the caller proves itself by what it sends. */
  readonly anonymous?: boolean;
  /** Checks everything first and writes last: a refusal leaves nothing behind. */
  readonly run: (context: ActionContext) => Reply;
};

export const vpcVersion = '2016-04-28';

/** Most actions are of this product and version. */
export function vpcAction(action: Omit<Action, 'product' | 'version'>): Action {
  return { product: 'vpc', version: vpcVersion, ...action };
}
