import type { Clock } from '@tributary/runtime/clock';
import { defaultAccountId } from '../default-account-id.ts';
import type { IdSource } from '../ids/create-id-source.ts';
import { notFound, refusal } from '../rpc/rpc-error.ts';

export type AccessKeyOptions = {
  readonly id: string;
  readonly secret: string;
  /** Makes it a session: every call must carry it. */
  readonly securityToken?: string;
  /** Such as `vpc:*`, `vpc:Describe*`. Everything when absent. */
  readonly permissions?: readonly string[];
  readonly accountId?: string;
};

export type AccessKey = AccessKeyOptions & { readonly accountId: string; readonly expiresAt?: number };

export type SessionOptions = {
  readonly accountId: string;
  readonly permissions: readonly string[] | undefined;
  readonly lastsMs: number;
};

export type Session = {
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  readonly securityToken: string;
  readonly expiresAt: number;
};

export type Sessions = { readonly issue: (options: SessionOptions) => Session };

export type Credentials = Sessions & {
  /** The key with this id and the token that came with it; refused when either is not good. */
  readonly find: (id: string, securityToken: string | undefined) => AccessKey;
  readonly add: (key: AccessKeyOptions) => void;
  readonly revoke: (id: string) => void;
};

export type CredentialsDeps = { readonly clock: Pick<Clock, 'now'>; readonly ids: IdSource };

export function createCredentials(given: readonly AccessKeyOptions[], { clock, ids }: CredentialsDeps): Credentials {
  const keys = new Map<string, AccessKey>();
  const add = (key: AccessKeyOptions): void => void keys.set(key.id, { accountId: defaultAccountId, ...key });
  given.forEach(add);
  return {
    add,
    revoke: (id) => void keys.delete(id),
    find: (id, securityToken) => {
      const key = keys.get(id);
      if (!key) throw notFound('InvalidAccessKeyId.NotFound', 'Specified access key is not found.');
      checkToken(key, securityToken, clock.now());
      return key;
    },
    issue: ({ accountId, permissions, lastsMs }) => {
      const expiresAt = clock.now() + lastsMs;
      const session = {
        accessKeyId: `STS.NS${ids.secret(22)}`,
        accessKeySecret: ids.secret(44),
        securityToken: `CAIS${ids.secret(120)}`,
        expiresAt,
      };
      const { accessKeyId: id, accessKeySecret: secret, securityToken } = session;
      keys.set(id, { id, secret, securityToken, accountId, expiresAt, ...(permissions && { permissions }) });
      return session;
    },
  };
}

function checkToken(key: AccessKey, given: string | undefined, now: number): void {
  if (key.securityToken === undefined) return;
  if (given === undefined) throw refusal('MissingSecurityToken', 'SecurityToken is mandatory for this action.');
  if (given !== key.securityToken) {
    throw refusal('InvalidSecurityToken.Malformed', 'Specified SecurityToken is malformed.');
  }
  if (key.expiresAt !== undefined && key.expiresAt <= now) {
    throw refusal('InvalidSecurityToken.Expired', 'Specified SecurityToken is expired.');
  }
}

/** Patterns are those of a policy's `Action`: a star stands for any text. */
export function mayCall({ permissions }: AccessKey, product: string, action: string): boolean {
  if (!permissions) return true;
  return permissions.some((pattern) => {
    const parts = pattern.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`));
    return new RegExp(`^${parts.join('.*')}$`, 'i').test(`${product}:${action}`);
  });
}
