/**
 * How long a `Retry-After` header asks to wait, in milliseconds: seconds or a date, as HTTP allows. Undefined when
 * it is absent or not understood.
 */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim() ?? '';
  if (/^\d+$/u.test(text)) return Number(text) * 1000;
  // Date.parse takes much that is no HTTP date ("-1", "2 weeks"); those all begin with the name of a day.
  const date = /^[A-Z][a-z]{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
