// Quantities of resources, exact: sums and shares of what nodes offer must not drift by rounding of floats.

/** In billionths of the unit, the finest that the API keeps. `binary` remembers that the text was in Ki, Mi, Gi … */
export type Quantity = { readonly nanos: bigint; readonly binary: boolean };

const nano = 1_000_000_000n;
const shape = /^([+-]?)(\d*)\.?(\d*)(?:([numkMGTPE]?|[KMGTPE]i)|[eE]([+-]?\d+))$/;
const binarySteps = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimalSteps = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
/** Where the plain unit stands among the decimal steps. */
const plainStep = 3;

export const zero: Quantity = { nanos: 0n, binary: false };

/** Undefined for what is no quantity. */
export function parseQuantity(text: string | number): Quantity | undefined {
  const match = shape.exec(String(text));
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const power = binarySteps.indexOf(suffix, 1);
  const factor = power > 0 ? 1024n ** BigInt(power) : 1n;
  const tens =
    power > 0 ? 0 : exponent === undefined ? (decimalSteps.indexOf(suffix) - plainStep) * 3 : Number(exponent);
  const digits = BigInt(`${whole}${fraction}`) * factor;
  const nanos = shifted(digits, tens - fraction.length + 9);
  return { nanos: sign === '-' ? -nanos : nanos, binary: power > 0 };
}

/** As the API server writes it: the largest step that leaves no fraction. */
export function formatQuantity({ nanos, binary }: Quantity): string {
  if (nanos === 0n) return '0';
  const size = nanos < 0n ? -nanos : nanos;
  const sign = nanos < 0n ? '-' : '';
  const units = size / nano;
  if (binary && size % nano === 0n && units >= 1024n) return sign + stepped(units, 1024n, binarySteps);
  return sign + stepped(size, 1000n, decimalSteps);
}

export function addQuantities(left: Quantity, right: Quantity): Quantity {
  return { nanos: left.nanos + right.nanos, binary: left.binary || (left.nanos === 0n && right.binary) };
}

/** What is left, and never less than nothing. */
export function subtractQuantity(from: Quantity, taken: Quantity): Quantity {
  const nanos = from.nanos - taken.nanos;
  return { nanos: nanos < 0n ? 0n : nanos, binary: from.binary };
}

export function smallerQuantity(left: Quantity, right: Quantity): Quantity {
  return right.nanos < left.nanos ? right : left;
}

export function largerQuantity(left: Quantity, right: Quantity): Quantity {
  return right.nanos > left.nanos ? right : left;
}

/** A share in percent, cut down to `unitNanos`: nobody can use the fraction of a byte. */
export function shareOf(quantity: Quantity, percent: number, unitNanos: bigint): Quantity {
  const share = (quantity.nanos * BigInt(percent)) / 100n;
  return { nanos: share - (share % unitNanos), binary: quantity.binary };
}

function shifted(digits: bigint, tens: number): bigint {
  if (tens >= 0) return digits * 10n ** BigInt(tens);
  const divisor = 10n ** BigInt(-tens);
  return (digits + divisor - 1n) / divisor;
}

function stepped(size: bigint, factor: bigint, steps: readonly string[]): string {
  let step = 0;
  let rest = size;
  while (step < steps.length - 1 && rest % factor === 0n) {
    rest /= factor;
    step += 1;
  }
  return `${rest}${steps[step] ?? ''}`;
}
