import type { Clock } from '@tributary/runtime/clock';
import type { Transport } from '@tributary/runtime/transport';
import type { ApiHandler, ApiRequest } from '../http/api-request.ts';
import { createInProcessTransport } from '../http/in-process-transport.ts';
import type { InProcessOptions } from '../http/in-process-transport.ts';
import type { UserInfo } from '../registry/admission.ts';
import { attributesOf } from './attributes.ts';
import type { Attributes } from './attributes.ts';

/** One request of an account, as authorization saw it, and what came of it. */
export type AccountRequest = Attributes & { readonly status: number };

/** A way in as a ServiceAccount, with no more rights than the roles in the cluster give it. */
export type AccountAccess = {
  readonly token: string;
  readonly transport: (options?: InProcessOptions) => Transport;
  /** Everything that was asked by these transports so far. */
  readonly requests: readonly AccountRequest[];
};

export type AccountRef = { readonly namespace: string; readonly name: string };

/** Whatever a test lets pass on its clock, the token lives on. */
const lifetimeSeconds = 2 ** 32;

/** `admin` are the headers of somebody who may ask for the token. */
export async function openAccount(
  { namespace, name }: AccountRef,
  deps: { readonly handler: ApiHandler; readonly clock: Clock; readonly admin: Readonly<Record<string, string>> },
): Promise<AccountAccess> {
  const { handler, clock, admin } = deps;
  const asking = createInProcessTransport(handler, { headers: admin }, clock);
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
  const body = JSON.stringify({ spec: { expirationSeconds: lifetimeSeconds } });
  const answer = await asking.request({ method: 'POST', path, body });
  const { status, message } = JSON.parse(new TextDecoder().decode(answer.body)) as TokenAnswer;
  if (typeof status === 'string') throw new Error(`no token for ${namespace}/${name}: ${message ?? ''}`);
  const requests: AccountRequest[] = [];
  const user = { username: `system:serviceaccount:${namespace}:${name}`, groups: [] };
  const noting = notedHandler(handler, user, requests);
  return {
    token: status.token,
    requests,
    transport: (options = {}) => {
      const headers = { ...options.headers, authorization: `Bearer ${status.token}` };
      return createInProcessTransport(noting, { ...options, headers }, clock);
    },
  };
}

type TokenAnswer = { readonly status: string | { readonly token: string }; readonly message?: string };

function notedHandler(handler: ApiHandler, user: UserInfo, requests: AccountRequest[]): ApiHandler {
  return async (request: ApiRequest) => {
    const response = await handler(request);
    requests.push({ ...attributesOf(user, request), status: response.status });
    return response;
  };
}
