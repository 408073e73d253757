/**
 * The first value of a YAML text when that value is written in brackets. kube-apiserver reads no further than to the token
 * behind it, so whatever follows is none of its business; the YAML parser here reads all and would refuse it.
 * Undefined: there is no such value, or the token behind it cannot be read either.
 */
export function firstBracketed(text: string): string | undefined {
  const start = /^\s*/.exec(text)?.[0].length ?? 0;
  if (text[start] !== '{' && text[start] !== '[') return undefined;
  const end = closingBracket(text, start);
  if (end === undefined) return undefined;
  const next = text.slice(end).trimStart();
  const unreadable = /^[@`%:]/.test(next) || /^"(?:[^"\\]|\\.)*$/s.test(next) || /^'[^']*$/.test(next);
  return next === '' || unreadable ? undefined : text.slice(0, end);
}

function closingBracket(text: string, start: number): number | undefined {
  let depth = 0;
  const tokens = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[{}[\]]/gs;
  tokens.lastIndex = start;
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (token[0] === '{' || token[0] === '[') depth += 1;
    else if (token[0] === '}' || token[0] === ']') depth -= 1;
    if (depth === 0) return tokens.lastIndex;
  }
  return undefined;
}
