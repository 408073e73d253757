/** A CEL string literal. */
export function celString(text: string): string {
  return `'${text.replace(/\\/g, '\\\\').replace(/'/g, "\\'").replace(/\n/g, '\\n').replace(/\r/g, '\\r')}'`;
}

// Words that CEL keeps for itself; the server lets a rule reach a field of such a name between underscores.
const reserved = new Set(
  (
    'true false null in as break const continue else for function if import let loop package namespace return ' +
    'var void while'
  ).split(' '),
);

/** How a rule names a field: `self.` + this. Undefined where CEL has no way to name it. */
export function celField(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`;
  const escaped = name
    .replace(/__/g, '__underscores__')
    .replace(/\./g, '__dot__')
    .replace(/-/g, '__dash__')
    .replace(/\//g, '__slash__');
  return /^[A-Za-z_]\w*$/.test(escaped) ? escaped : undefined;
}

/** The `fieldPath` of a rule that complains about a direct field of its object. */
export function celFieldPath(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `['${name}']`;
}
