import { OperatorError } from '@tributary/runtime';

/** What signs a call. Equal keys are the same object as long as nothing changed. */
export type AccessKey = {
  readonly accessKeyId: string;
  readonly accessKeySecret: string;
  /** Of a session. */
  readonly securityToken?: string;
};

export type AccessKeySource = () => Promise<AccessKey>;

/** Says where it looked and never what it found. */
export function badCredential(message: string, cause?: unknown): OperatorError {
  return new OperatorError('credentials/invalid', message, { kind: 'backoff' }, { cause });
}
