/**
 * Finds fields that a JSON text gives twice, which JSON.parse silently resolves to the last one. The text must be
 * valid JSON. Paths are written as the API writes them.
 */
export function repeatedFields(text: string): readonly string[] {
  const found: string[] = [];
  const scanner = { text, at: 0 };
  skipSpace(scanner);
  scanValue(scanner, '', found);
  return found;
}

type Scanner = { readonly text: string; at: number };

function scanValue(scanner: Scanner, path: string, found: string[]): void {
  const start = scanner.text[scanner.at];
  if (start === '{') scanObject(scanner, path, found);
  else if (start === '[') scanList(scanner, path, found);
  else if (start === '"') skipString(scanner);
  else while (!',]} \t\r\n'.includes(scanner.text[scanner.at] ?? ' ')) scanner.at++;
  skipSpace(scanner);
}

function scanObject(scanner: Scanner, path: string, found: string[]): void {
  const seen = new Set<string>();
  scanner.at++;
  skipSpace(scanner);
  while (scanner.text[scanner.at] === '"') {
    const key = readKey(scanner);
    const at = path === '' ? key : `${path}.${key}`;
    if (seen.has(key)) found.push(at);
    seen.add(key);
    skipSpace(scanner);
    scanner.at++; // the colon
    skipSpace(scanner);
    scanValue(scanner, at, found);
    if (scanner.text[scanner.at] !== ',') break;
    scanner.at++;
    skipSpace(scanner);
  }
  scanner.at++;
}

function scanList(scanner: Scanner, path: string, found: string[]): void {
  scanner.at++;
  skipSpace(scanner);
  for (let index = 0; scanner.at < scanner.text.length && scanner.text[scanner.at] !== ']'; index++) {
    scanValue(scanner, `${path}[${index}]`, found);
    if (scanner.text[scanner.at] === ',') scanner.at++;
    skipSpace(scanner);
  }
  scanner.at++;
}

function readKey(scanner: Scanner): string {
  const start = scanner.at;
  skipString(scanner);
  const raw = scanner.text.slice(start, scanner.at);
  return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
}

function skipString(scanner: Scanner): void {
  let end = scanner.at;
  do {
    end = scanner.text.indexOf('"', end + 1);
  } while (end > 0 && isEscaped(scanner.text, end));
  scanner.at = end < 0 ? scanner.text.length : end + 1;
}

/** A quote is part of the string when an odd number of backslashes stands before it. */
function isEscaped(text: string, at: number): boolean {
  let slashes = 0;
  while (text[at - 1 - slashes] === '\\') slashes++;
  return slashes % 2 === 1;
}

function skipSpace(scanner: Scanner): void {
  while (' \t\r\n'.includes(scanner.text[scanner.at] ?? 'x')) scanner.at++;
}
