/**
 * Reads `Ratelimit` (`"default";r=50;t=30`), `Ratelimit-Policy` (`"default";q=1200;w=300`) and `Retry-After`. What is
 * not understood is left out: a header must never be able to stop us by being odd.
 */
export type RatePolicy = { readonly name: string; readonly quota: number; readonly windowMs: number };
export type RateLimit = { readonly name: string; readonly remaining: number; readonly resetMs: number };
export type RateReport = { readonly policies: readonly RatePolicy[]; readonly limits: readonly RateLimit[] };

export type HeaderReader = { readonly get: (name: string) => string | null };

/** Longer windows and waits are taken for nonsense. */
const longestMs = 24 * 60 * 60 * 1000;

export function toRateReport(headers: HeaderReader): RateReport {
  return {
    policies: items(headers.get('ratelimit-policy')).flatMap(({ name, parameters }) => {
      const quota = parameters.get('q');
      const windowMs = seconds(parameters.get('w'));
      return quota === undefined || quota < 1 || windowMs === undefined || windowMs === 0
        ? []
        : [{ name, quota, windowMs }];
    }),
    limits: items(headers.get('ratelimit')).flatMap(({ name, parameters }) => {
      const remaining = parameters.get('r');
      const resetMs = seconds(parameters.get('t'));
      return remaining === undefined || resetMs === undefined ? [] : [{ name, remaining, resetMs }];
    }),
  };
}

/** Seconds or a date, as HTTP allows. */
export function retryAfterMs(headers: HeaderReader, nowMs: number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/u.test(text)) return Math.min(Number(text) * 1000, longestMs);
  // Date.parse takes much that is no HTTP date; those all begin with the name of a day.
  const date = /^[A-Z][a-z]{2}/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(Math.max(0, date - nowMs), longestMs);
}

type Item = { readonly name: string; readonly parameters: ReadonlyMap<string, number> };

function items(header: string | null): readonly Item[] {
  return (header ?? '').split(',').flatMap((text) => {
    const [name = '', ...rest] = text.split(';').map((part) => part.trim());
    if (name === '') return [];
    const parameters = rest.flatMap((part) => {
      const match = /^(\w+)\s*=\s*(\d+)$/u.exec(part);
      return match ? [[match[1] ?? '', Number(match[2])] as const] : [];
    });
    return [{ name: name.replaceAll('"', ''), parameters: new Map(parameters) }];
  });
}

function seconds(value: number | undefined): number | undefined {
  return value === undefined || value * 1000 > longestMs ? undefined : value * 1000;
}
