// The CEL library answers some functions otherwise than the API server does (JavaScript's regular expressions,
// UTF-16 positions) and does not let them be replaced. They are called by another name of the same length instead,
// so that positions in error messages stay what the author sees.
const replacements: ReadonlyMap<string, string> = new Map([
  ['has', 'HaS'],
  ['matches', 'matche_'],
  ['indexOf', 'indexO_'],
  ['lastIndexOf', 'lastIndexO_'],
  ['substring', 'substrin_'],
  ['lowerAscii', 'lowerAsci_'],
  ['upperAscii', 'upperAsci_'],
]);

const tokens =
  /(?<comment>\/\/[^\n]*)|(?<text>[rRbB]{0,2}(?:"""[^]*?"""|'''[^]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))|(?<name>[A-Za-z_]\w*)(?=(?<call>\s*\()?)/g;

/** The rule with the replaced functions called by their other names. */
export function replaceCalls(source: string): string {
  return source.replaceAll(tokens, (...found) => {
    const { name, call } = found.at(-1) as { readonly name?: string; readonly call?: string };
    const [whole] = found;
    return name !== undefined && call !== undefined ? (replacements.get(name) ?? whole) : whole;
  });
}

/** Undoes `replaceCalls` in a text that the library made. */
export function restoreCalls(text: string): string {
  let restored = text;
  for (const [theirs, ours] of replacements) restored = restored.replaceAll(ours, theirs);
  return restored;
}

/** Whether the rule speaks of the variable, outside of texts and not as a field of something. */
export function usesVariable(source: string, variable: string): boolean {
  for (const token of source.matchAll(tokens)) {
    const before = source.slice(0, token.index).trimEnd();
    if (token.groups?.['name'] === variable && !before.endsWith('.')) return true;
  }
  return false;
}
