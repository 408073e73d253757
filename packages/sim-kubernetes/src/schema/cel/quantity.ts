/** A resource.Quantity as an exact number: `value` divided by ten to the power of `scale`. */
export class Quantity {
  readonly value: bigint;
  readonly scale: number;
  constructor(value: bigint, scale: number) {
    this.value = value;
    this.scale = scale;
  }

  /** Lets the library and `equalCel` compare quantities: the same number has the same text. */
  valueOf(): string {
    let { value, scale } = this;
    while (scale > 0 && value % 10n === 0n) {
      value /= 10n;
      scale -= 1;
    }
    return `${value}/${scale}`;
  }
}

const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryPowers: Readonly<Record<string, number>> = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 };

export function parseQuantity(text: string): Quantity | undefined {
  // A suffix alone is a zero to the server.
  const parts = /^([+-]?)(\d*\.?\d*)(|[numkMGTPE]|[KMGTPE]i|[eE][+-]?\d+)$/.exec(text);
  if (!parts || text === '') return undefined;
  const [, sign, digits = '', suffix = ''] = parts;
  const [whole = '', fraction = ''] = digits.split('.');
  const value = BigInt(`${whole}${fraction}` || '0') * (sign === '-' ? -1n : 1n);
  const binary = binaryPowers[suffix];
  if (binary !== undefined) return new Quantity(value * 1024n ** BigInt(binary), fraction.length);
  const exponent = decimalExponents[suffix] ?? Number(suffix.slice(1));
  const scale = fraction.length - exponent;
  return scale >= 0 ? new Quantity(value, scale) : new Quantity(value * 10n ** BigInt(-scale), 0);
}

export function addQuantities(a: Quantity, b: Quantity): Quantity {
  const scale = Math.max(a.scale, b.scale);
  return new Quantity(scaled(a, scale) + scaled(b, scale), scale);
}

export function negateQuantity(a: Quantity): Quantity {
  return new Quantity(-a.value, a.scale);
}

export function compareQuantities(a: Quantity, b: Quantity): -1 | 0 | 1 {
  const scale = Math.max(a.scale, b.scale);
  const difference = scaled(a, scale) - scaled(b, scale);
  if (difference === 0n) return 0;
  return difference < 0n ? -1 : 1;
}

/** The value as an int64, undefined when it has a fraction or is too large. */
export function quantityInteger(a: Quantity): bigint | undefined {
  const unit = 10n ** BigInt(a.scale);
  if (a.value % unit !== 0n) return undefined;
  const whole = a.value / unit;
  return whole >= -(2n ** 63n) && whole < 2n ** 63n ? whole : undefined;
}

export function quantityFloat(a: Quantity): number {
  return Number(a.value) / 10 ** a.scale;
}

function scaled(a: Quantity, scale: number): bigint {
  return a.value * 10n ** BigInt(scale - a.scale);
}
