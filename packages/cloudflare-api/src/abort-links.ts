/**
 * Calls `onAbort` with the reason as soon as one of the signals is aborted, at once if one already is. The returned
 * function takes the listeners off again: signals outlive calls, and a listener that stays is a leak.
 */
export function onAnyAbort(signals: readonly AbortSignal[], onAbort: (reason: Error) => void): () => void {
  const aborted = signals.find((signal) => signal.aborted);
  if (aborted) {
    onAbort(aborted.reason as Error);
    return () => undefined;
  }
  const links = new AbortController();
  for (const signal of signals) {
    const listener = (): void => {
      links.abort();
      onAbort(signal.reason as Error);
    };
    signal.addEventListener('abort', listener, { signal: links.signal });
  }
  return () => links.abort();
}
