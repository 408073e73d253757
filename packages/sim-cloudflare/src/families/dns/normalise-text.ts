/** A string on the wire holds at most so many bytes. */
const longestChunk = 255;

/**
 * TXT content as it is stored: quoted strings of at most 255 bytes. Content that is quoted already keeps its
 * strings; anything else is one string, with its quotes escaped.
 */
export function normaliseText(content: string): string {
  const chunks = quotedStrings(content) ?? [escapeQuotes(content)];
  return chunks
    .flatMap(split)
    .map((chunk) => `"${chunk}"`)
    .join(' ');
}

/** The insides of `"a" "b"`, still escaped; nothing when the content is not of that form. */
function quotedStrings(content: string): readonly string[] | undefined {
  const trimmed = content.trim();
  if (!/^"(?:[^"\\]|\\.)*"(?:\s+"(?:[^"\\]|\\.)*")*$/s.test(trimmed)) return undefined;
  return [...trimmed.matchAll(/"((?:[^"\\]|\\.)*)"/gs)].map(([, inside = '']) => inside);
}

function escapeQuotes(content: string): string {
  return content.replaceAll(/\\|"/g, String.raw`\$&`);
}

/** Never inside an escape or a character of several bytes. */
function split(text: string): readonly string[] {
  const units = text.match(/\\.|[^]/gsu) ?? [];
  const chunks: string[] = [];
  let chunk = '';
  let bytes = 0;
  for (const unit of units) {
    const size = unit.startsWith('\\') && unit.length > 1 ? Buffer.byteLength(unit) - 1 : Buffer.byteLength(unit);
    if (bytes + size > longestChunk) {
      chunks.push(chunk);
      chunk = '';
      bytes = 0;
    }
    chunk += unit;
    bytes += size;
  }
  return [...chunks, chunk];
}
