import { readFileSync } from 'node:fs';

/** The resident memory of a process, as Linux counts it. */
export function residentBytes(pid: number | undefined): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? Number.NaN) * 1024;
}
