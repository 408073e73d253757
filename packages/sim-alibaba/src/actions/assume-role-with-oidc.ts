import type { Action, ActionContext } from '../rpc/action.ts';
import { integerOf, neededText } from '../rpc/params.ts';
import { notFound, refusal } from '../rpc/rpc-error.ts';
import { toTime } from '../world.ts';

/** The token service, on the same server: what a workload with a service account token asks. */
export const assumeRoleWithOidc: Action = {
  name: 'AssumeRoleWithOIDC',
  product: 'sts',
  version: '2015-04-01',
  write: false,
  anonymous: true,
  run: (context) => {
    const { params, world } = context;
    const arn = neededText(params, 'RoleArn');
    neededText(params, 'OIDCProviderArn');
    const session = neededText(params, 'RoleSessionName');
    const seconds = integerOf(params, 'DurationSeconds', [900, 43_200]) ?? 3600;
    const { accountId, permissions } = findRole(arn, context);
    const { issuer, subject } = checkedToken(neededText(params, 'OIDCToken'), world.now());
    const issued = world.sessions.issue({ accountId, permissions, lastsMs: seconds * 1000 });
    return {
      Credentials: {
        AccessKeyId: issued.accessKeyId,
        AccessKeySecret: issued.accessKeySecret,
        SecurityToken: issued.securityToken,
        Expiration: toTime(issued.expiresAt),
      },
      AssumedRoleUser: {
        Arn: `${arn.replace(':role/', ':assumed-role/')}/${session}`,
        AssumedRoleId: `3${accountId}:${session}`,
      },
      OIDCTokenInfo: { Issuer: issuer, Subject: subject, ClientIds: 'sts.aliyuncs.com' },
    };
  },
};

type Role = { readonly accountId: string; readonly permissions: readonly string[] | undefined };

/** `acs:ram::ACCOUNT:role/NAME`. */
function findRole(arn: string, { world }: ActionContext): Role {
  const [, accountId] = /^acs:ram::(\d+):role\/[\w.@-]+$/i.exec(arn) ?? [];
  const role = world.roles?.find((known) => known.arn === arn);
  if (accountId === undefined || (world.roles && !role)) {
    throw notFound('EntityNotExist.Role', 'The specified Role not exists.');
  }
  return { accountId, permissions: role?.permissions };
}

/** Signed tokens are read, not verified: the simulator has no issuer. Anything else stands for itself. */
function checkedToken(token: string, now: number): { readonly issuer: string; readonly subject: string } {
  const claims = readClaims(token);
  const { exp, iss, sub } = claims;
  if (typeof exp === 'number' && exp * 1000 <= now) {
    throw refusal('AuthenticationFail.OIDCToken.Expired', 'This JSON Web Token has already expired.');
  }
  return { issuer: typeof iss === 'string' ? iss : 'unknown', subject: typeof sub === 'string' ? sub : 'unknown' };
}

function readClaims(token: string): Readonly<Record<string, unknown>> {
  const parts = token.split('.');
  if (parts.length !== 3) return {};
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString());
    return { ...(claims as Readonly<Record<string, unknown>> | null) };
  } catch {
    throw refusal('AuthenticationFail.OIDCToken.Invalid', 'The specified OIDC token is not valid.');
  }
}
