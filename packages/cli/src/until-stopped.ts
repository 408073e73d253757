/** Resolves when somebody presses Ctrl-C or the process is asked to end. */
export async function untilStopped(host: Pick<NodeJS.Process, 'once'>): Promise<void> {
  await new Promise<void>((resolve) => {
    host.once('SIGINT', () => resolve());
    host.once('SIGTERM', () => resolve());
  });
}
