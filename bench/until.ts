import { setTimeout as pause } from 'node:timers/promises';

/** Looks every few milliseconds; throws when the time is up. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, limitMs: number): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!(await holds())) {
    if (performance.now() > endMs) throw new Error(`not within ${limitMs / 1000} s: ${what}`);
    await pause(5);
  }
}
