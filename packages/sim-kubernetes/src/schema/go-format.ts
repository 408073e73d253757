// The texts of the API are made by Go's fmt and json packages. These are the parts of them that reach a user.

/** A string as Go's `%q` prints it. */
export function goQuote(text: string): string {
  let out = '"';
  for (const char of text) out += quoteChar(char);
  return `${out}"`;
}

/** A float as Go's `%v` prints it: exponents from 1e+21 up and below 1e-4, always with two digits. */
export function goNumber(value: number): string {
  if (value === 0 || Number.isInteger(value)) {
    return Math.abs(value) < 1e21 ? value.toString() : goExponent(value);
  }
  return Math.abs(value) < 1e-4 ? goExponent(value) : value.toString();
}

/** JSON as Go writes it: keys sorted, `<`, `>` and `&` escaped, nothing undefined. */
export function goJson(value: unknown): string {
  return goJsonInOrder(sortKeys(value));
}

/** The same with keys as they stand: that is how Go writes a struct. */
export function goJsonInOrder(value: unknown): string {
  return JSON.stringify(value ?? null).replaceAll(
    /[<>&\u2028\u2029]/g,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

const shortEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
};

const unprintable = /^[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]$/u;

function quoteChar(char: string): string {
  const short = shortEscapes[char];
  if (short !== undefined) return short;
  if (char === ' ' || !unprintable.test(char)) return char;
  const code = char.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code < 0x10000) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

function goExponent(value: number): string {
  const [mantissa = '', exponent = '0'] = value.toExponential().split('e');
  const digits = exponent.replace(/^[+-]/, '').padStart(2, '0');
  return `${mantissa}e${exponent.startsWith('-') ? '-' : '+'}${digits}`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => sortKeys(item) ?? null);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => compareText(a, b)).map(([key, item]) => [key, sortKeys(item)]),
  );
}

/** Order by code units: what Go's string comparison does for everything a field name may hold. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
