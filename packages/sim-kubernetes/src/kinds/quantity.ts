// Quantities as Go's resource.Quantity reads and writes them: exact decimals that remember their kind of suffix.

type Form = 'binary' | 'decimal' | 'exponent';
/** value = digits × 10^-9; nanos are the finest that the API keeps. */
export type Quantity = { readonly nanos: bigint; readonly form: Form };

const pattern = /^([+-]?)(\d*)(?:\.(\d*))?(Ki|Mi|Gi|Ti|Pi|Ei|n|u|m|k|M|G|T|P|E|[eE][+-]?\d+)?$/;
const binary = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];
const decimal = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'];
const nano = 1_000_000_000n;
const largestNanos = (2n ** 63n - 1n) * nano;

export function parseQuantity(text: string): Quantity | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', suffix = ''] = match;
  if (whole === '' && fraction === '') return undefined;
  const { factor, exponent, form } = scaleOf(suffix);
  // One spare group of digits shows whether anything finer than a nano has to be rounded away from zero.
  const digits = BigInt(`${whole}${fraction}`) * factor * nano;
  const shift = exponent - fraction.length;
  const nanos = shift >= 0 ? digits * 10n ** BigInt(shift) : roundedUp(digits, 10n ** BigInt(-shift));
  const capped = nanos > largestNanos ? largestNanos : nanos;
  return { nanos: sign === '-' ? -capped : capped, form };
}

/** The canonical form, as in `1500m` for `1.5` and `1536Mi` for `1.5Gi`. */
export function formatQuantity({ nanos, form }: Quantity): string {
  if (nanos === 0n) return '0';
  const sign = nanos < 0n ? '-' : '';
  const size = nanos < 0n ? -nanos : nanos;
  const whole = size % nano === 0n;
  // Below one Ki, and where a fraction remains, the binary suffixes have no canonical form.
  if (form === 'binary' && whole && size / nano >= 1024n) return sign + byBinary(size / nano);
  if (form === 'exponent') return sign + byExponent(size);
  return sign + byDecimal(size);
}

export function canonicalQuantity(text: string): string | undefined {
  const quantity = parseQuantity(text);
  return quantity === undefined ? undefined : formatQuantity(quantity);
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  if (a.nanos === b.nanos) return 0;
  return a.nanos < b.nanos ? -1 : 1;
}

function scaleOf(suffix: string): { readonly factor: bigint; readonly exponent: number; readonly form: Form } {
  const power = binary.indexOf(suffix);
  if (power > 0) return { factor: 1024n ** BigInt(power), exponent: 0, form: 'binary' };
  if (/^[eE][+-]?\d/.test(suffix)) return { factor: 1n, exponent: Number(suffix.slice(1)), form: 'exponent' };
  return { factor: 1n, exponent: (decimal.indexOf(suffix) - 3) * 3, form: 'decimal' };
}

function roundedUp(value: bigint, divisor: bigint): bigint {
  return value % divisor === 0n ? value / divisor : value / divisor + 1n;
}

function byBinary(whole: bigint): string {
  let power = 0;
  let rest = whole;
  while (power < binary.length - 1 && rest % 1024n === 0n) {
    rest /= 1024n;
    power += 1;
  }
  return `${rest}${binary[power] ?? ''}`;
}

function byDecimal(nanos: bigint): string {
  let power = 0;
  let rest = nanos;
  while (power < decimal.length - 1 && rest % 1000n === 0n) {
    rest /= 1000n;
    power += 1;
  }
  return `${rest}${decimal[power] ?? ''}`;
}

function byExponent(nanos: bigint): string {
  let exponent = -9;
  let rest = nanos;
  while (rest % 1000n === 0n) {
    rest /= 1000n;
    exponent += 3;
  }
  return exponent === 0 ? `${rest}` : `${rest}e${exponent}`;
}
