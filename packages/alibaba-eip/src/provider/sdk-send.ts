import type OpenApiClient from '@alicloud/openapi-core';
import type { AccessKey, AccessKeySource } from '../credentials/access-key.ts';
import type { Endpoint } from './endpoint.ts';
import type { VpcAction, VpcAnswer, VpcSend } from './vpc-send.ts';

export type SdkOptions = {
  readonly regionId: string;
  readonly endpoint: Endpoint;
  readonly userAgent?: string;
  /** For connecting and for the answer alike: the SDK's own three seconds are too short for an Allocate. */
  readonly timeoutMs?: number;
};

type ClientConstructor = typeof OpenApiClient.default;
type Client = InstanceType<ClientConstructor>;

/** The SDK's generic client. Its own retries stay off: only we know which calls may be sent twice. */
export function createSdkSend(options: SdkOptions, deps: { readonly credentials: AccessKeySource }): VpcSend {
  let held: { readonly key: AccessKey; readonly client: Client } | undefined;
  const clientFor = async (key: AccessKey): Promise<Client> => {
    if (held?.key !== key) held = { key, client: await createClient(options, key) };
    return held.client;
  };
  return async (action, params) => {
    const client = await clientFor(await deps.credentials());
    try {
      const answer = await callApi(client, options, action, params);
      return { status: Number(answer['statusCode'] ?? 200), body: answer['body'] as VpcAnswer['body'] };
    } catch (error) {
      return toAnswer(error);
    }
  };
}

async function createClient(
  { regionId, endpoint, userAgent, timeoutMs = 15_000 }: SdkOptions,
  key: AccessKey,
): Promise<Client> {
  const { $OpenApiUtil, default: core } = await import('@alicloud/openapi-core');
  const config = new $OpenApiUtil.Config({
    ...key,
    regionId,
    endpoint: endpoint.host,
    protocol: endpoint.protocol,
    connectTimeout: timeoutMs,
    readTimeout: timeoutMs,
    ...(userAgent && { userAgent }),
  });
  // A CommonJS module: Node hands out its exports as the default, other loaders its default itself.
  const ClientClass = typeof core === 'function' ? (core as ClientConstructor) : core.default;
  return new ClientClass(config);
}

async function callApi(
  client: Client,
  { endpoint, timeoutMs = 15_000 }: SdkOptions,
  action: VpcAction,
  query: Readonly<Record<string, string>>,
): Promise<Readonly<Record<string, unknown>>> {
  const { $OpenApiUtil } = await import('@alicloud/openapi-core');
  const params = new $OpenApiUtil.Params({
    action,
    version: '2016-04-28',
    protocol: endpoint.protocol.toUpperCase(),
    pathname: '/',
    method: 'POST',
    authType: 'AK',
    style: 'RPC',
    reqBodyType: 'formData',
    bodyType: 'json',
  });
  const request = new $OpenApiUtil.OpenApiRequest({ query: { ...query } });
  const runtime = { connectTimeout: timeoutMs, readTimeout: timeoutMs, autoretry: false };
  return client.callApi(params, request, runtime as Parameters<Client['callApi']>[2]);
}

type SdkError = Error & {
  readonly statusCode?: number;
  readonly code?: string;
  readonly retryAfter?: number;
  readonly data?: Readonly<Record<string, unknown>>;
};

/** A refusal is an answer too. What is none is thrown on, without what the SDK hangs on its errors. */
function toAnswer(error: unknown): VpcAnswer {
  const { statusCode, code, retryAfter, data, name, message } = error as SdkError;
  if (typeof statusCode === 'number' && typeof code === 'string') {
    const body = { Code: code, ...data };
    return { status: statusCode, body, ...(retryAfter !== undefined && { retryAfterMs: retryAfter }) };
  }
  throw Object.assign(new Error(message), { name: name === 'Error' && code ? code : name });
}
