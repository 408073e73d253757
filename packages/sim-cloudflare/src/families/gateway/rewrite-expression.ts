/**
 * How the service writes an expression that it was given: single spaces, none inside braces and parentheses, lower-case
 * operators. Whoever compares texts must expect this form.
 */
export function rewriteExpression(text: string): string {
  return mapOutsideQuotes(text, (part) =>
    part
      .replace(/\s+/g, ' ')
      .replace(/([({]) /g, '$1')
      .replace(/ ([)}])/g, '$1')
      .replace(/\b(AND|OR|NOT|IN|MATCHES)\b/g, (word) => word.toLowerCase()),
  ).trim();
}

function mapOutsideQuotes(text: string, change: (part: string) => string): string {
  const parts = text.split(/("(?:[^"\\]|\\.)*")/);
  return parts.map((part, index) => (index % 2 === 0 ? change(part) : part)).join('');
}

/** `24h` → `24h0m0s`, `90s` → `1m30s`: as Go writes a duration. */
export function rewriteDuration(text: string): string {
  const seconds = toSeconds(text);
  if (seconds === undefined) return text;
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60];
  if (hours > 0) return `${hours}h${minutes}m${rest}s`;
  return minutes > 0 ? `${minutes}m${rest}s` : `${rest}s`;
}

function toSeconds(text: string): number | undefined {
  const [all, hours = '0', minutes = '0', seconds = '0'] = /^(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/.exec(text) ?? [];
  return all ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) : undefined;
}
