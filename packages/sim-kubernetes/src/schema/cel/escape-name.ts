/** Words that CEL keeps for itself: a property of that name is written `__in__`. */
const reserved: ReadonlySet<string> = new Set(
  `true false null in as break const continue else for function if import let loop package namespace return var void while`.split(
    ' ',
  ),
);

const escapes: Readonly<Record<string, string>> = {
  __: '__underscores__',
  '.': '__dot__',
  '-': '__dash__',
  '/': '__slash__',
};

/** A property's name as a rule writes it, or undefined when rules cannot reach the property. */
export function escapeName(name: string): string | undefined {
  if (!/^[A-Za-z_./-][A-Za-z0-9_./-]*$/.test(name)) return undefined;
  if (reserved.has(name)) return `__${name}__`;
  return name.replaceAll(/__|[./-]/g, (found) => escapes[found] ?? found);
}
