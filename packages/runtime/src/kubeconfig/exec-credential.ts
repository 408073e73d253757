/** What is said to an exec plugin and what it says back: the group `client.authentication.k8s.io`, v1 and v1beta1. */
import { z } from 'zod';
import type { Credentials } from './cluster-access.ts';

export const execApiVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];

/** The cluster as a plugin gets to see it. */
export type ExecCluster = {
  readonly server: string;
  readonly 'tls-server-name'?: string | undefined;
  readonly 'insecure-skip-tls-verify'?: boolean | undefined;
  readonly 'certificate-authority-data'?: string | undefined;
  readonly 'proxy-url'?: string | undefined;
  readonly 'disable-compression'?: boolean | undefined;
  /** From the cluster's extension of the name `client.authentication.k8s.io/exec`. */
  readonly config?: unknown;
};

/** The value of `KUBERNETES_EXEC_INFO`. */
export function execInfo(apiVersion: string, interactive: boolean, cluster: ExecCluster | undefined): string {
  return JSON.stringify({ kind: 'ExecCredential', apiVersion, spec: { ...(cluster && { cluster }), interactive } });
}

export type ExecAnswer = { readonly credentials: Credentials; readonly expiresAtMs: number };

const answerSchema = z.object({
  apiVersion: z.string(),
  kind: z.literal('ExecCredential'),
  status: z.object({
    token: z.string().default(''),
    clientCertificateData: z.string().default(''),
    clientKeyData: z.string().default(''),
    expirationTimestamp: z.iso.datetime({ offset: true }).nullish(),
  }),
});

/** Throws a plain error that says what is wrong without quoting the answer, which is a secret. */
export function parseExecAnswer(stdout: string, apiVersion: string): ExecAnswer {
  const parsed = answerSchema.safeParse(parseJson(stdout));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`${issue?.path.join('.') || 'the answer'}: ${issue?.message}`);
  }
  const { status } = parsed.data;
  if (parsed.data.apiVersion !== apiVersion) {
    throw new Error(`the answer has version ${parsed.data.apiVersion}, configured is ${apiVersion}`);
  }
  const { token, clientCertificateData: cert, clientKeyData: key } = status;
  if ((cert === '') !== (key === '')) throw new Error('the answer holds only one of certificate and key');
  if (token === '' && cert === '') throw new Error('the answer holds neither a token nor a certificate');
  return {
    credentials: {
      headers: token === '' ? {} : { authorization: `Bearer ${token}` },
      ...(cert === '' ? {} : { certificate: { cert, key } }),
    },
    expiresAtMs: status.expirationTimestamp ? Date.parse(status.expirationTimestamp) : Number.POSITIVE_INFINITY,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error('the answer is no JSON');
  }
}
