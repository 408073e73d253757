import { evaluate } from '@marcbachmann/cel-js';

/** A duration of the library, which does not export its class: made by evaluating the literal. */
export function celDuration(ms: number): unknown {
  const nanos = BigInt(Math.round(ms * 1e6));
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  return evaluate(`duration("${sign}${size / 1_000_000_000n}s${size % 1_000_000_000n}ns")`) as unknown;
}
