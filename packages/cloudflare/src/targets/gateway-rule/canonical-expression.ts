/**
 * An expression with what certainly means nothing taken out: how much space there is between words, and none beside
 * parentheses and braces. Texts in quotes stay as they are. For the rest of what Cloudflare rewrites there is a memory.
 */
export function canonicalExpression(text: string): string {
  const parts = text.split(/("(?:[^"\\]|\\.)*")/);
  return parts
    .map((part, index) => (index % 2 === 0 ? part.replace(/\s+/g, ' ').replace(/ ?([(){}[\],]) ?/g, '$1') : part))
    .join('')
    .trim();
}
