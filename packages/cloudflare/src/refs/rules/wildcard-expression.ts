/** A redirect by a pattern of the whole address, in which each `*` stands for any text. */
export type WildcardSource = {
  readonly sourceUrl: string;
  readonly includeSubdomains?: boolean | undefined;
  readonly subpathMatching?: boolean | undefined;
};

/** The patterns that together are meant: the address itself and, where asked for, that of every host below. */
export function toPatterns({ sourceUrl, includeSubdomains, subpathMatching }: WildcardSource): readonly string[] {
  const pattern = subpathMatching ? withSubpaths(sourceUrl) : sourceUrl;
  const [, scheme, rest] = /^([a-z*]+:\/\/)(.*)$/i.exec(pattern) ?? [];
  return includeSubdomains && scheme !== undefined && rest !== undefined ? [pattern, `${scheme}*.${rest}`] : [pattern];
}

export function matchExpression(patterns: readonly string[]): string {
  const matches = patterns.map((pattern) => `http.request.full_uri wildcard ${quoted(pattern)}`);
  return matches.length === 1 ? (matches[0] ?? '') : matches.map((match) => `(${match})`).join(' or ');
}

/** Whether the target takes over parts of the address: `${1}` is what the first `*` stood for. */
export function hasCaptures(target: string): boolean {
  return /\$\{\d+\}/.test(target);
}

/** The target as an expression. The pattern for hosts below has one `*` more, in front. */
export function replaceExpression(pattern: string, target: string, shift = 0): string {
  const shifted = target.replace(/\$\{(\d+)\}/g, (_all, number: string) => `\${${Number(number) + shift}}`);
  return `wildcard_replace(http.request.full_uri, ${quoted(pattern)}, ${quoted(shifted)})`;
}

function withSubpaths(pattern: string): string {
  if (pattern.endsWith('*')) return pattern;
  return pattern.endsWith('/') ? `${pattern}*` : `${pattern}/*`;
}

function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, (char) => `\\${char}`)}"`;
}
