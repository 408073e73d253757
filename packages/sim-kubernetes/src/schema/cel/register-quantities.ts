import type { Environment } from '@marcbachmann/cel-js';
import {
  addQuantities,
  compareQuantities,
  negateQuantity,
  parseQuantity,
  Quantity,
  quantityFloat,
  quantityInteger,
} from './quantity.ts';

export function registerQuantities(environment: Environment): void {
  environment
    .registerType('kubernetes.Quantity', Quantity)
    .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined)
    .registerFunction('quantity(string): kubernetes.Quantity', parse)
    .registerFunction('kubernetes.Quantity.isInteger(): bool', (a: Quantity) => quantityInteger(a) !== undefined)
    .registerFunction('kubernetes.Quantity.asInteger(): int', asInteger)
    .registerFunction('kubernetes.Quantity.asApproximateFloat(): double', quantityFloat)
    .registerFunction('kubernetes.Quantity.add(kubernetes.Quantity): kubernetes.Quantity', addQuantities)
    .registerFunction('kubernetes.Quantity.add(int): kubernetes.Quantity', (a: Quantity, b: bigint) =>
      addQuantities(a, integer(b)),
    )
    .registerFunction('kubernetes.Quantity.sub(kubernetes.Quantity): kubernetes.Quantity', (a: Quantity, b: Quantity) =>
      addQuantities(a, negateQuantity(b)),
    )
    .registerFunction('kubernetes.Quantity.sub(int): kubernetes.Quantity', (a: Quantity, b: bigint) =>
      addQuantities(a, integer(-b)),
    )
    .registerFunction(
      'kubernetes.Quantity.isLessThan(kubernetes.Quantity): bool',
      (a: Quantity, b: Quantity) => compareQuantities(a, b) < 0,
    )
    .registerFunction(
      'kubernetes.Quantity.isGreaterThan(kubernetes.Quantity): bool',
      (a: Quantity, b: Quantity) => compareQuantities(a, b) > 0,
    )
    .registerFunction('kubernetes.Quantity.compareTo(kubernetes.Quantity): int', (a: Quantity, b: Quantity) =>
      BigInt(compareQuantities(a, b)),
    );
}

function integer(value: bigint): Quantity {
  return new Quantity(value, 0);
}

function parse(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity) return quantity;
  throw new Error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

function asInteger(a: Quantity): bigint {
  const whole = quantityInteger(a);
  if (whole === undefined) throw new Error('cannot convert value to integer');
  return whole;
}
