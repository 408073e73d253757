/**
 * The official SDK on top of our pipeline. The SDK gives paths, parameters and types; everything else it would do by
 * itself (credentials from the environment, retries, timers, logging, its own errors) is switched off or taken over.
 */
import { createClient } from 'cloudflare/tree-shakable';
import type { Priority } from '../budget/priority.ts';
import { familyOf } from '../errors/family.ts';
import type { Answer, Call, Send } from '../pipeline/call.ts';
import { resources } from './resources.ts';
import type { CloudflareApi } from './resources.ts';

export type ApiOptions = {
  readonly baseUrl: string;
  readonly priority: Priority;
  /** Aborted when the client is closed. */
  readonly closed: AbortSignal;
};

/** What the SDK hands through from a method to `fetch`, and what we hand back past it. */
type Handover = {
  readonly signals: readonly AbortSignal[];
  readonly timeoutMs: number | undefined;
  failure?: unknown;
};

type RequestOptions = {
  readonly signal?: AbortSignal | null;
  readonly timeout?: number;
  readonly fetchOptions?: object;
};

type MakeRequest = (options: RequestOptions | Promise<RequestOptions>, ...rest: unknown[]) => Promise<object>;

/** The longest that a timer can be. The SDK's own would also run while a call waits for the budget. */
const neverMs = 2 ** 31 - 1;

const silent = { error: () => undefined, warn: () => undefined, info: () => undefined, debug: () => undefined };

export function createApi({ baseUrl, priority, closed }: ApiOptions, { send }: { readonly send: Send }): CloudflareApi {
  const defaultHeaders = { authorization: null };
  const api = createClient({
    resources,
    baseURL: baseUrl,
    // Absent would mean "from the environment". The pipeline adds the credential.
    apiToken: null,
    apiKey: null,
    apiEmail: null,
    userServiceKey: null,
    defaultHeaders,
    maxRetries: 0,
    timeout: neverMs,
    logger: silent,
    logLevel: 'off',
    fetch: createSdkFetch({ baseUrl, priority }, send),
  });
  const makeRequest = Reflect.get(api, 'makeRequest') as MakeRequest;
  return Object.assign(api, {
    // CLOUDFLARE_CUSTOM_HEADERS is mixed in whatever the options say.
    _options: { ...(Reflect.get(api, '_options') as object), defaultHeaders },
    makeRequest: withHandover(makeRequest.bind(api), closed),
  });
}

/**
 * Takes the signal out of the SDK's hands, which never removes its listener from it, and brings errors of the pipeline
 * to the caller as they are, which the SDK would wrap or replace.
 */
function withHandover(makeRequest: MakeRequest, closed: AbortSignal): MakeRequest {
  return async (input, ...rest) => {
    const options = await input;
    const { signal, timeout, ...others } = options;
    const handover: Handover = { signals: signal ? [signal, closed] : [closed], timeoutMs: timeout };
    const fetchOptions = { ...options.fetchOptions, handover };
    try {
      const made = await makeRequest({ ...others, maxRetries: 0, fetchOptions } as RequestOptions, ...rest);
      // The next page is asked for with the options of this one.
      return { ...made, options };
    } catch (error) {
      throw 'failure' in handover ? handover.failure : error;
    }
  };
}

type SdkInit = {
  readonly method?: string;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly handover?: Handover;
};

function createSdkFetch({ baseUrl, priority }: Omit<ApiOptions, 'closed'>, send: Send): typeof globalThis.fetch {
  const basePath = new URL(baseUrl).pathname.replace(/\/$/u, '');
  return async (url, init) => {
    const { method = 'GET', headers, body, handover } = (init ?? {}) as SdkInit;
    const target = url as string;
    const path = new URL(target).pathname.slice(basePath.length);
    const call: Call = {
      method: method.toUpperCase(),
      url: target,
      path,
      family: familyOf(path),
      priority,
      headers: Object.fromEntries(new Headers(headers as Headers)),
      body: body as Call['body'],
      signals: handover?.signals ?? [],
      timeoutMs: handover?.timeoutMs,
    };
    try {
      const answer = await send(call);
      if (answer.failure) throw answer.failure;
      return toResponse(answer);
    } catch (error) {
      if (handover) handover.failure = error;
      throw error;
    }
  };
}

/** The body is read and parsed already; it is not parsed again. */
function toResponse({ status, text, json }: Answer): Response {
  if (text === '') return new Response(null, { status: 204 });
  const type = json === undefined ? 'text/plain' : 'application/json';
  const response = new Response(null, { status, headers: { 'content-type': type } });
  return Object.assign(response, { json: async () => json, text: async () => text });
}
