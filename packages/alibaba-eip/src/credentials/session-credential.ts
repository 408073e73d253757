import type { AccessKey, AccessKeySource } from './access-key.ts';
import { badCredential } from './access-key.ts';

/** A provider of the credentials SDK: it keeps its session and renews it before it ends. */
export type SessionProvider = {
  readonly getCredentials: () => Promise<{ accessKeyId?: string; accessKeySecret?: string; securityToken?: string }>;
};

/**
 * The SDK asks once per caller and may stay broken after one failure. Here all who ask at the same time share one
 * answer, and a failure throws the provider away, so that the next call begins anew.
 */
export function createSessionCredential(name: string, build: () => Promise<SessionProvider>): AccessKeySource {
  let provider: Promise<SessionProvider> | undefined;
  let asking: Promise<AccessKey> | undefined;
  let last: AccessKey | undefined;

  const ask = async (): Promise<AccessKey> => {
    try {
      provider ??= build();
      const { accessKeyId, accessKeySecret, securityToken } = await (await provider).getCredentials();
      if (!accessKeyId || !accessKeySecret) throw new Error('the answer has no key');
      const isSame = last?.accessKeyId === accessKeyId && last.securityToken === securityToken;
      if (!isSame || !last) last = { accessKeyId, accessKeySecret, ...(securityToken && { securityToken }) };
      return last;
    } catch (error) {
      provider = undefined;
      throw badCredential(`no credential by ${name}: ${error instanceof Error ? error.message : 'unknown'}`);
    }
  };
  return async () => {
    asking ??= ask().finally(() => (asking = undefined));
    return asking;
  };
}
