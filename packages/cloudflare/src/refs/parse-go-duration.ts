const secondsOf: Readonly<Record<string, number>> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  μs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
};

const part = /(\d+(?:\.\d*)?|\.\d+)(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * A duration as Go writes it (`30s`, `1m30s`, `1.5h`), in whole seconds: the API takes nothing finer, and less than one
 * second is still one. Undefined for what Go would not read, and for negative ones.
 */
export function parseGoDuration(text: string): number | undefined {
  const unsigned = text.startsWith('+') ? text.slice(1) : text;
  if (unsigned === '0') return 0;
  let seconds = 0;
  let end = 0;
  while (end < unsigned.length) {
    part.lastIndex = end;
    const [whole, amount, unit] = part.exec(unsigned) ?? [];
    if (whole === undefined || amount === undefined || unit === undefined) return undefined;
    seconds += Number(amount) * (secondsOf[unit] ?? 0);
    end += whole.length;
  }
  // Sums of fractions are off by less than a nanosecond.
  return end === 0 ? undefined : Math.ceil(Number(seconds.toFixed(9)));
}
