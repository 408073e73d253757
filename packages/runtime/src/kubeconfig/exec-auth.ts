import { isDeepStrictEqual } from 'node:util';
import { OperatorError } from '../operator-error.ts';
import type { AccessDeps, ClusterAuth } from './cluster-access.ts';
import { execInfo, parseExecAnswer } from './exec-credential.ts';
import type { ExecAnswer, ExecCluster } from './exec-credential.ts';

export type InteractiveMode = 'Never' | 'IfAvailable' | 'Always';

export type ExecPlugin = {
  readonly apiVersion: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint?: string | undefined;
  readonly interactiveMode: InteractiveMode;
  /** Given when the plugin asked for it. */
  readonly cluster?: ExecCluster | undefined;
};

/** Who may ask a person has all the time in the world; who may not has this long. */
const longestRunMs = 60_000;

type ExecDeps = Pick<AccessDeps, 'run' | 'env' | 'isTerminal' | 'clock'>;

/**
 * Credentials from a command that the user named in the kubeconfig. They are kept until they expire or the server
 * refuses them; however many ask at once, the command runs once.
 */
export function createExecAuth(plugin: ExecPlugin, deps: ExecDeps): ClusterAuth {
  let kept: ExecAnswer | undefined;
  let stale = false;
  let running: Promise<ExecAnswer> | undefined;

  const renew = async (): Promise<ExecAnswer> => {
    const answer = await runPlugin(plugin, deps);
    // Equal credentials stay the same object: that is how others see that there is nothing new.
    const same = kept !== undefined && isDeepStrictEqual(kept.credentials, answer.credentials);
    kept = same && kept !== undefined ? { ...answer, credentials: kept.credentials } : answer;
    stale = false;
    return kept;
  };

  return {
    credentials: async () => {
      if (kept !== undefined && !stale && deps.clock.now() < kept.expiresAtMs) return kept.credentials;
      running ??= renew().finally(() => (running = undefined));
      return (await running).credentials;
    },
    refused: (refused) => {
      if (refused === kept?.credentials) stale = true;
    },
  };
}

async function runPlugin(plugin: ExecPlugin, deps: ExecDeps): Promise<ExecAnswer> {
  const interactive = isInteractive(plugin, deps);
  const controller = new AbortController();
  const cancel = interactive
    ? () => undefined
    : deps.clock.after(longestRunMs, () => controller.abort(new Error(`it ran for more than ${longestRunMs} ms`)));
  const { command, args } = plugin;
  const env = {
    ...definedOf(deps.env),
    ...plugin.env,
    KUBERNETES_EXEC_INFO: execInfo(plugin.apiVersion, interactive, plugin.cluster),
  };
  try {
    const { exitCode, stdout } = await deps.run({ command, args, env, interactive, signal: controller.signal });
    if (exitCode !== 0) throw new Error(`it ended with exit code ${exitCode ?? 'unknown'}`);
    return parseExecAnswer(stdout, plugin.apiVersion);
  } catch (error) {
    const reason = (controller.signal.reason ?? error) as Error & { code?: unknown };
    throw failed(
      plugin,
      reason.code === 'ENOENT' ? `it was not found. ${plugin.installHint ?? ''}`.trim() : reason.message,
    );
  } finally {
    cancel();
  }
}

function isInteractive(plugin: ExecPlugin, { isTerminal }: ExecDeps): boolean {
  switch (plugin.interactiveMode) {
    case 'Never':
      return false;
    case 'IfAvailable':
      return isTerminal();
    case 'Always':
      if (!isTerminal()) throw failed(plugin, 'it must talk to a person, and there is no terminal');
      return true;
    default:
      return plugin.interactiveMode satisfies never;
  }
}

function definedOf(env: AccessDeps['env']): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function failed(plugin: ExecPlugin, what: string): OperatorError {
  const message = `the credential plugin ${plugin.command} gave no credentials: ${what}`;
  return new OperatorError('kubeconfig/exec-failed', message, { kind: 'backoff' });
}
