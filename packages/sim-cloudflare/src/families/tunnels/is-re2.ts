/**
 * Whether Go would take this as a regular expression. What RE2 has and JavaScript has not is rewritten first; what
 * JavaScript has and RE2 has not is refused.
 */
export function isRe2(pattern: string): boolean {
  const withoutEscapes = pattern.replaceAll(/\\[^]/g, '__');
  if (/\(\?(?:[=!]|<[=!])/.test(withoutEscapes)) return false;
  if (/\\[1-9]/.test(pattern.replaceAll('\\\\', ''))) return false;
  try {
    return new RegExp(toJavaScript(pattern)) instanceof RegExp;
  } catch {
    return false;
  }
}

function toJavaScript(pattern: string): string {
  return pattern
    .replaceAll(/\(\?P<([A-Za-z_]\w*)>/g, '(?<$1>')
    .replaceAll(/\(\?[imsU-]+\)/g, '')
    .replaceAll(/\(\?[imsU-]+:/g, '(?:')
    .replaceAll(/\[\[:\^?[a-z]+:\]/g, '[a')
    .replaceAll(/\[:\^?[a-z]+:\]/g, 'a')
    .replaceAll(String.raw`\A`, '^')
    .replaceAll(String.raw`\z`, '$');
}
