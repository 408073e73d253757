import { OperatorError } from '../operator-error.ts';
import type { AccessDeps, ClusterAuth, Credentials } from './cluster-access.ts';

/** The kubelet renews a token well before it expires, so a minute is soon enough. */
const readEveryMs = 60_000;

/**
 * A bearer token that lives in a file and is replaced there from time to time. It is read again after a minute and
 * when the server refused it. While the file cannot be read, the last token stays in use.
 */
export function createTokenFileAuth(
  path: string,
  { readFile, clock }: Pick<AccessDeps, 'readFile' | 'clock'>,
  firstToken?: string,
): ClusterAuth {
  let token = firstToken;
  let credentials: Credentials = toCredentials(token);
  let readAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;

  const read = async (): Promise<void> => {
    try {
      const found = (await readFile(path)).trim();
      if (found === '') throw new Error('it is empty');
      if (found !== token) credentials = toCredentials(found);
      token = found;
    } catch (error) {
      if (token === undefined) {
        const message = `the token file ${path} cannot be used: ${(error as Error).message}`;
        throw new OperatorError('kubeconfig/token-unreadable', message, { kind: 'backoff' });
      }
    }
    readAtMs = clock.monotonic();
  };

  return {
    credentials: async () => {
      if (clock.monotonic() - readAtMs >= readEveryMs) await (reading ??= read().finally(() => (reading = undefined)));
      return credentials;
    },
    refused: (refused) => {
      if (refused === credentials) readAtMs = Number.NEGATIVE_INFINITY;
    },
  };
}

function toCredentials(token: string | undefined): Credentials {
  return { headers: token === undefined ? {} : { authorization: `Bearer ${token}` } };
}
