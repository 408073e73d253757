import type { Log } from '../log.ts';

/** The part of `process` that a program's shell needs. */
export type HostProcess = {
  readonly on: (event: string, listener: (value: unknown) => void) => unknown;
  readonly exit: (code: number) => void;
};

/**
 * The outermost shell of a program: signals in, exit code out. SIGTERM or SIGINT asks it to stop, a second one ends
 * it at once. An error that nobody caught ends it too: a process in an unknown state is worth less than a new one.
 */
export async function runMain(
  run: (signal: AbortSignal) => Promise<void>,
  { host, log }: { readonly host: HostProcess; readonly log: Log },
): Promise<void> {
  const stop = new AbortController();
  for (const name of ['SIGTERM', 'SIGINT']) {
    host.on(name, () => {
      if (stop.signal.aborted) {
        log.warn({ signal: name }, 'second signal: exiting at once');
        host.exit(1);
        return;
      }
      log.info({ signal: name }, 'stopping; a second signal ends the process at once');
      stop.abort(new Error(name));
    });
  }
  for (const event of ['unhandledRejection', 'uncaughtException']) {
    host.on(event, (error) => {
      log.error({ err: error, event }, 'an error that nobody caught: exiting');
      host.exit(1);
    });
  }
  try {
    await run(stop.signal);
    host.exit(0);
  } catch (error) {
    log.error({ err: error }, 'exiting after a failure');
    host.exit(1);
  }
}
