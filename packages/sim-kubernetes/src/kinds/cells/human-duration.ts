const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

/** A span as kubectl prints it: two units at most, the finer one only where it says something. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / second);
  // Clocks of two machines may differ a little: what is hardly in the future is now.
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  if (ms < 10 * minute) return pair(ms, minute, 'm', second, 's');
  if (ms < 3 * hour) return `${Math.floor(ms / minute)}m`;
  if (ms < 8 * hour) return pair(ms, hour, 'h', minute, 'm');
  if (ms < 48 * hour) return `${Math.floor(ms / hour)}h`;
  if (ms < 8 * day) return pair(ms, day, 'd', hour, 'h');
  if (ms < 2 * year) return `${Math.floor(ms / day)}d`;
  if (ms < 8 * year) return pair(ms, year, 'y', day, 'd');
  return `${Math.floor(ms / year)}y`;
}

function pair(ms: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)}${largeUnit}${rest === 0 ? '' : `${rest}${smallUnit}`}`;
}
