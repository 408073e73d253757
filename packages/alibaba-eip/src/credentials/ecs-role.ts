import type { Clock } from '@tributary/runtime';
import type { SessionProvider } from './session-credential.ts';

export type EcsRoleOptions = {
  /** Where a machine asks about itself. */
  readonly endpoint: string;
  /** The role; asked for when absent. */
  readonly role?: string | undefined;
  /** Never without a token: what answers requests without one can be reached through many a proxy. */
  readonly onlyV2: boolean;
};

export type EcsRoleDeps = { readonly fetch: typeof globalThis.fetch; readonly clock: Pick<Clock, 'now'> };

/** The same address on every machine. */
export const ecsMetadataEndpoint = 'http://100.100.100.200';

const tokenSeconds = 21_600;
/** A session is renewed so long before it ends, or in the second half of its life where that is shorter. */
const earlyMs = 900_000;
const timeoutMs = 5000;

type Session = {
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  readonly securityToken: string;
  readonly renewAtMs: number;
  readonly endsAtMs: number;
};

/**
 * The role of the machine, from its metadata service. The vendor's library knows the same protocol, but neither another
 * address nor a time limit over a second, so it could not be tried. A renewal that fails is no failure while the session lives.
 */
export function createEcsRole(options: EcsRoleOptions, deps: EcsRoleDeps): SessionProvider {
  let session: Session | undefined;
  return {
    getCredentials: async () => {
      const nowMs = deps.clock.now();
      if (session && nowMs < session.renewAtMs) return session;
      try {
        session = await openSession(options, deps);
      } catch (error) {
        if (!session || deps.clock.now() >= session.endsAtMs) throw error;
      }
      return session;
    },
  };
}

async function openSession(options: EcsRoleOptions, deps: EcsRoleDeps): Promise<Session> {
  const headers = await tokenHeaders(options, deps);
  const read = async (path: string): Promise<string> =>
    ask(options, deps, `meta-data/ram/security-credentials/${path}`, { headers });
  const role = options.role || (await read('')).trim();
  return toSession(role, await read(role), deps.clock.now());
}

/** Version 2 where there is one, else version 1, unless that is forbidden. */
async function tokenHeaders(options: EcsRoleOptions, deps: EcsRoleDeps): Promise<Record<string, string>> {
  try {
    const headers = { 'x-aliyun-ecs-metadata-token-ttl-seconds': String(tokenSeconds) };
    const token = await ask(options, deps, 'api/token', { method: 'PUT', headers });
    return { 'x-aliyun-ecs-metadata-token': token };
  } catch (error) {
    if (options.onlyV2) throw error;
    return {};
  }
}

async function ask(
  { endpoint }: EcsRoleOptions,
  { fetch }: EcsRoleDeps,
  path: string,
  init: RequestInit,
): Promise<string> {
  const response = await fetch(new URL(`/latest/${path}`, endpoint), {
    ...init,
    signal: AbortSignal.timeout(timeoutMs),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`the metadata service answers ${response.status} to ${path}`);
  return text;
}

/** What is wrong with an answer is said without the answer: it holds a key. */
function toSession(role: string, text: string, nowMs: number): Session {
  const found = parse(text);
  const textOf = (field: string): string => (typeof found[field] === 'string' ? found[field] : '');
  const endsAtMs = Date.parse(textOf('Expiration'));
  const session = {
    accessKeyId: textOf('AccessKeyId'),
    accessKeySecret: textOf('AccessKeySecret'),
    securityToken: textOf('SecurityToken'),
  };
  const isWhole = Object.values(session).every((part) => part !== '') && !Number.isNaN(endsAtMs);
  if (textOf('Code') !== 'Success' || !isWhole) throw new Error(`the metadata service has no session of role ${role}`);
  return { ...session, endsAtMs, renewAtMs: Math.max(endsAtMs - earlyMs, (nowMs + endsAtMs) / 2) };
}

function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
