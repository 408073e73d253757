import type { Clock } from '@tributary/runtime/clock';
import type { WireRequest } from '@tributary/sim-kit';
import type { IdSource } from '../ids/create-id-source.ts';
import { plain } from '../rpc/outcome.ts';
import type { Outcome } from '../rpc/outcome.ts';
import type { EcsRoleOptions } from '../sim-options.ts';
import { toTime } from '../world.ts';
import type { Sessions } from './create-credentials.ts';

export type MetadataDeps = {
  readonly clock: Pick<Clock, 'now'>;
  readonly ids: IdSource;
  readonly sessions: Sessions;
  readonly accountId: string;
};

/** A request that is not for the API: the name under which faults and journal know it, and its answer. */
export type Served = { readonly name: string; readonly serve: () => Outcome };

export const credentialsPath = '/credentials';

const tokenPath = '/latest/api/token';
const rolePath = '/latest/meta-data/ram/security-credentials/';

/**
 * What a machine with a role finds at its metadata address, in both versions, and what a client finds behind a
 * credentials URI. Both hand out sessions that the API takes until they end. `undefined`: not a path of these.
 */
export function createMetadata(
  options: EcsRoleOptions,
  deps: MetadataDeps,
): (request: WireRequest) => Served | undefined {
  const { name: role = 'sim-role', metadata = 'both' } = options;
  const tokens = new Map<string, number>();

  const issueToken = ({ method, headers }: WireRequest): Outcome => {
    const seconds = Number(headers['x-aliyun-ecs-metadata-token-ttl-seconds']);
    if (metadata === 'v1') return text(404, 'Not Found');
    if (method !== 'PUT' || !(seconds >= 1 && seconds <= 21_600)) return text(400, 'Bad Request');
    const token = deps.ids.secret(40);
    tokens.set(token, deps.clock.now() + seconds * 1000);
    return text(200, token);
  };
  const readable = ({ headers }: WireRequest): boolean => {
    const token = headers['x-aliyun-ecs-metadata-token'];
    if (token === undefined) return metadata !== 'v2';
    return (tokens.get(token) ?? 0) > deps.clock.now();
  };
  const read = (request: WireRequest, answer: () => Outcome): Outcome =>
    readable(request) ? answer() : text(403, 'Forbidden');
  const known = ({ path }: WireRequest): boolean => path === `${rolePath}${role}`;

  return (request) => {
    const { path } = request;
    if (path === credentialsPath) return { name: 'GetCredentials', serve: () => session(options, deps) };
    if (path === tokenPath) return { name: 'GetMetadataToken', serve: () => issueToken(request) };
    if (path === rolePath) return { name: 'GetRoleName', serve: () => read(request, () => text(200, role)) };
    if (!path.startsWith(rolePath)) return undefined;
    const credentials = (): Outcome => (known(request) ? session(options, deps) : text(404, 'Not Found'));
    return { name: 'GetRoleCredentials', serve: () => read(request, credentials) };
  };
}

function session(options: EcsRoleOptions, { sessions, accountId, clock }: MetadataDeps): Outcome {
  const { permissions, sessionMs = 6 * 3_600_000 } = options;
  const issued = sessions.issue({ accountId, permissions, lastsMs: sessionMs });
  const body = {
    Code: 'Success',
    AccessKeyId: issued.accessKeyId,
    AccessKeySecret: issued.accessKeySecret,
    SecurityToken: issued.securityToken,
    Expiration: toTime(issued.expiresAt),
    LastUpdated: toTime(clock.now()),
  };
  return plain(200, 'application/json', JSON.stringify(body));
}

function text(status: number, body: string): Outcome {
  return plain(status, 'text/plain', body);
}
