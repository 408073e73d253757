import type { Clock } from '../clock.ts';

/** PEM text that is at hand, or the file that holds it; files are watched for changes by whoever uses them. */
export type PemSource = { readonly data: string } | { readonly file: string };

export type ClusterTls = {
  /** The system's authorities when absent. */
  readonly ca?: PemSource | undefined;
  readonly cert?: PemSource | undefined;
  readonly key?: PemSource | undefined;
  /** The name to ask for and to verify, when it is not the server's host. */
  readonly serverName?: string | undefined;
  readonly insecure?: boolean | undefined;
};

/** What proves to the server who we are. Compared by identity: equal credentials are the same object. */
export type Credentials = {
  /** A list becomes one header line for each entry. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** A client certificate that came with the credentials, as exec plugins may give one. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
};

export type ClusterAuth = {
  /** What to send with the next request. */
  readonly credentials: () => Promise<Credentials>;
  /** The server answered 401 to these. If others can be had, the next call of `credentials` returns them. */
  readonly refused: (credentials: Credentials) => void;
};

/** All that is needed to talk to one API server. */
export type ClusterAccess = {
  /** With scheme, and with a path if the API does not live at the root. */
  readonly server: string;
  readonly tls: ClusterTls;
  readonly auth: ClusterAuth;
  /** Where namespaced objects go when nothing else is said. */
  readonly namespace: string;
  readonly proxyUrl?: string | undefined;
};

/** How a file is read and checked for change. */
export type FileAccess = {
  readonly readFile: (path: string) => Promise<string>;
  /** Milliseconds since the epoch. */
  readonly modifiedMs: (path: string) => Promise<number>;
};

export type CommandRun = {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether the command may talk to the person at the terminal. */
  readonly interactive: boolean;
  readonly signal: AbortSignal;
};

/** The world as a kubeconfig needs it. The real one is `systemAccessDeps`. */
export type AccessDeps = FileAccess & {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly homeDir: string;
  readonly isTerminal: () => boolean;
  /** Resolves when the command has ended, whatever its exit code; rejects when it could not be started. */
  readonly run: (run: CommandRun) => Promise<{ readonly exitCode: number | undefined; readonly stdout: string }>;
  readonly clock: Clock;
};

/** Credentials that never change. */
export function staticAuth(headers: Credentials['headers'] = {}): ClusterAuth {
  const credentials: Credentials = { headers };
  return { credentials: async () => credentials, refused: () => undefined };
}
