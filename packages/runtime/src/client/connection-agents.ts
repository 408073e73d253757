/**
 * Two undici agents, one for requests and one for watches, so that no number of open watches keeps a request
 * waiting. HTTP/1.1 only: undici does not notice when an HTTP/2 session has become a black hole. The agents are made
 * anew when certificate files change or the credentials bring another certificate; what is under way on the old
 * ones is left to finish.
 */
import { Agent, ProxyAgent } from 'undici';
import type { Dispatcher } from 'undici';
import type { Clock } from '../clock.ts';
import type { ClusterAccess, Credentials, FileAccess } from '../kubeconfig/cluster-access.ts';
import { fingerprint, loadTls } from './load-tls.ts';
import type { TlsSettings } from './load-tls.ts';

export type AgentOptions = {
  readonly maxConnections: number;
  readonly connectTimeoutMs: number;
  readonly keepAliveMs: number;
  /** How often the certificate files are checked for change. */
  readonly checkFilesMs: number;
};

export type AgentPair = { readonly requests: Dispatcher; readonly watches: Dispatcher };

export type ConnectionAgents = {
  readonly current: (credentials: Credentials) => Promise<AgentPair>;
  /** Ends everything that is under way. */
  readonly close: () => Promise<void>;
};

type Made = {
  readonly pair: AgentPair;
  readonly certificate: Credentials['certificate'];
  readonly fingerprint: string;
};

export function createConnectionAgents(
  access: Pick<ClusterAccess, 'tls' | 'proxyUrl'>,
  options: AgentOptions,
  deps: FileAccess & { readonly clock: Pick<Clock, 'monotonic'> },
): ConnectionAgents {
  let made: Made | undefined;
  let checkedAtMs = 0;
  let renewal: Promise<AgentPair> | undefined;
  const open = new Set<Dispatcher>();

  const make = (tls: TlsSettings): AgentPair => {
    const pair = {
      requests: createAgent(tls, access.proxyUrl, options, options.maxConnections),
      watches: createAgent(tls, access.proxyUrl, options),
    };
    open.add(pair.requests).add(pair.watches);
    return pair;
  };

  const renew = async (credentials: Credentials): Promise<AgentPair> => {
    const { certificate } = credentials;
    try {
      const found = await fingerprint(access.tls, deps);
      if (made === undefined || made.certificate !== certificate || made.fingerprint !== found) {
        const pair = make(await loadTls(access.tls, credentials, deps));
        if (made !== undefined) retire(made.pair, open);
        made = { pair, certificate, fingerprint: found };
      }
    } catch (error) {
      // In the middle of a rotation the files may be missing or not fit; the next check sees them whole.
      if (made === undefined || made.certificate !== certificate) throw error;
    }
    checkedAtMs = deps.clock.monotonic();
    return made.pair;
  };

  return {
    current: async (credentials) => {
      const fresh = deps.clock.monotonic() - checkedAtMs < options.checkFilesMs;
      if (made !== undefined && fresh && made.certificate === credentials.certificate) return made.pair;
      renewal ??= renew(credentials).finally(() => (renewal = undefined));
      return renewal;
    },
    close: async () => {
      await Promise.all(Array.from(open, async (agent) => agent.destroy()));
      open.clear();
    },
  };
}

function createAgent(
  tls: TlsSettings,
  proxyUrl: string | undefined,
  { connectTimeoutMs, keepAliveMs }: AgentOptions,
  connections?: number,
): Dispatcher {
  const connect = { ...tls, timeout: connectTimeoutMs };
  const shared = {
    allowH2: false,
    keepAliveTimeout: keepAliveMs,
    ...(connections === undefined ? {} : { connections }),
  };
  if (proxyUrl === undefined) return new Agent({ ...shared, connect });
  // As in kubectl, a proxy that is itself reached over TLS must be vouched for by the cluster's authority.
  const { ca, rejectUnauthorized } = tls;
  const proxyTls = { ...(ca && { ca }), rejectUnauthorized, allowH2: false, timeout: connectTimeoutMs };
  return new ProxyAgent({ ...shared, uri: proxyUrl, requestTls: { ...connect, allowH2: false }, proxyTls });
}

function retire(pair: AgentPair, open: Set<Dispatcher>): void {
  for (const agent of [pair.requests, pair.watches]) {
    const forget = (): void => void open.delete(agent);
    // It rejects only when everything was closed meanwhile, and then there is nothing left to wait for.
    agent.close().then(forget, forget);
  }
}
