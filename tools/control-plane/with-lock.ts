import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Runs `work` while no other process runs work under the same lock folder. A lock of a dead process is taken over;
 * two waiters may do that at the same instant, so `work` must be wasteful, not wrong, when it runs twice.
 */
export async function withLock<T>(folder: string, work: () => Promise<T>): Promise<T> {
  while (!tryLock(folder)) {
    if (!holderAlive(folder)) rmSync(folder, { recursive: true, force: true });
    else await wait(500);
  }
  try {
    return await work();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tryLock(folder: string): boolean {
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pid'), String(process.pid));
    return true;
  } catch {
    return false;
  }
}

function holderAlive(folder: string): boolean {
  try {
    process.kill(Number(readFileSync(join(folder, 'pid'), 'utf8')), 0);
    return true;
  } catch (error) {
    // Between mkdir and the write of its pid a lock has no holder yet: that takes no ten seconds.
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && ageMs(folder) < 10_000;
  }
}

function ageMs(folder: string): number {
  return Date.now() - (statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
}
