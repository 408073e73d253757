/** `"%s is %d".format([...])` of CEL: strings, decimals, fixed and scientific, binary, octal, hexadecimal. */
export function formatCel(text: string, values: readonly unknown[]): string {
  let next = 0;
  return text.replaceAll(
    /%(%|(?:\.(\d+))?([sdfebxXo]))/g,
    (_whole, mark: string, precision?: string, clause?: string) => {
      if (mark === '%') return '%';
      if (next >= values.length) throw new Error(`index ${next} out of range`);
      const value = values[next];
      next += 1;
      return formatValue(value, clause ?? 's', precision === undefined ? undefined : Number(precision));
    },
  );
}

function formatValue(value: unknown, clause: string, precision: number | undefined): string {
  switch (clause) {
    case 's':
      return toText(value);
    case 'd':
      return typeof value === 'bigint' ? value.toString() : toText(value);
    case 'f':
      return Number(value).toFixed(precision ?? 6);
    case 'e':
      return Number(value)
        .toExponential(precision ?? 6)
        .replace(/e([+-])(\d)$/, 'e$10$2');
    case 'b':
      return typeof value === 'boolean' ? (value ? '1' : '0') : (value as bigint).toString(2);
    case 'o':
      return (value as bigint).toString(8);
    default:
      return hex(value, clause === 'X');
  }
}

function hex(value: unknown, upper: boolean): string {
  const text =
    typeof value === 'bigint' ? value.toString(16) : Buffer.from(value as string | Uint8Array).toString('hex');
  return upper ? text.toUpperCase() : text;
}

function toText(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return value;
  if (value instanceof Date) return value.toISOString().replace('.000Z', 'Z');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (Array.isArray(value)) return `[${value.map(toText).join(', ')}]`;
  if (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype) {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
    return `{${entries.map(([key, item]) => `${key}: ${toText(item)}`).join(', ')}}`;
  }
  return `${value as bigint | boolean}`;
}
