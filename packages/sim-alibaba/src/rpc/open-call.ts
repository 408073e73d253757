import { mayCall } from '../credentials/create-credentials.ts';
import type { Action, Caller } from './action.ts';
import type { RpcCall } from './rpc-call.ts';
import { notFound, RpcError } from './rpc-error.ts';

/** What is asked and by whom; without either, why not. */
export type OpenedCall = { readonly action?: Action; readonly caller?: Caller; readonly error?: unknown };

const nobody: Caller = { id: '', accountId: '' };

/** The gateway looks for the action first, then at the signature, then at the caller's rights. */
export function openCall(call: RpcCall, actions: ReadonlyMap<string, Action>): OpenedCall {
  if (call.serve) return {};
  try {
    const action = findAction(call, actions);
    if (action.anonymous) return { action, caller: nobody };
    const key = call.identify();
    if (mayCall(key, action.product, action.name)) return { action, caller: key };
    const message = `User not authorized to operate on the specified resource, or this API doesn't support RAM.`;
    return { error: new RpcError(403, 'Forbidden.RAM', message) };
  } catch (error) {
    return { error };
  }
}

function findAction({ action: name, version }: RpcCall, actions: ReadonlyMap<string, Action>): Action {
  const action = actions.get(name);
  if (!action) {
    throw notFound('InvalidAction.NotFound', 'Specified api is not found, please check your url and method.');
  }
  if (version !== undefined && version !== action.version) {
    throw notFound('InvalidVersion', 'Specified parameter Version is not valid.');
  }
  return action;
}
