import type { AccessKey } from '../credentials/create-credentials.ts';
import type { Served } from '../credentials/create-metadata.ts';
import type { RpcAnswer } from '../rpc/create-rpc-handler.ts';
import { bodyText } from '../rpc/outcome.ts';
import type { Params } from '../rpc/params.ts';
import type { RpcCall } from '../rpc/rpc-call.ts';
import { verifyRequest } from '../signature/verify-request.ts';
import type { VerifyDeps } from '../signature/verify-request.ts';
import type { WireHandler, WireRequest } from '@tributary/sim-kit';

export type RpcWireDeps = VerifyDeps & {
  readonly handle: (call: RpcCall) => Promise<RpcAnswer>;
  /** What is served beside the API. */
  readonly metadata: (request: WireRequest) => Served | undefined;
};

/** RPC over HTTP: the newer signature names the action in a header, the older one in a parameter. */
export function createRpcWire(deps: RpcWireDeps): WireHandler {
  return async (request) => {
    const params = readParams(request);
    const served = deps.metadata(request);
    const identify = (): AccessKey => verifyRequest(request, params, deps);
    const common = { params, identify, userAgent: request.headers['user-agent'] ?? '', via: 'http' } as const;
    const asked = served ? { action: served.name, serve: served.serve } : readAction(request, params);
    const { outcome, requestId } = await deps.handle({ ...common, ...asked });
    if (outcome.kind !== 'answer') return { kind: outcome.kind };
    const headers = { ...outcome.headers, 'x-acs-request-id': requestId };
    return { kind: 'answer', status: outcome.status, headers, body: bodyText(outcome, requestId) };
  };
}

function readAction({ headers }: WireRequest, params: Params): Pick<RpcCall, 'action' | 'version'> {
  const version = headers['x-acs-version'] ?? params['Version'];
  return {
    action: headers['x-acs-action'] ?? params['Action'] ?? '',
    ...(version !== undefined && { version }),
  };
}

/** Query and form together. */
function readParams({ query, headers, body }: WireRequest): Params {
  const isForm = headers['content-type']?.startsWith('application/x-www-form-urlencoded') ?? false;
  return Object.fromEntries([...query, ...(isForm ? new URLSearchParams(body) : [])]);
}
