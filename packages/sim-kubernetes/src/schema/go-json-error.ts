// What Go's JSON scanner says of a text that is no JSON: clients print it, so the words must be the same.

/** The complaint about the first character that cannot stand where it does; undefined when the text is sound. */
export function goJsonError(text: string): string | undefined {
  const scanner: Scanner = { text, at: 0 };
  try {
    readValue(scanner);
    skipSpace(scanner);
    if (scanner.at < text.length) fail(scanner, 'after top-level value');
    return undefined;
  } catch (error) {
    if (error instanceof Complaint) return error.message;
    throw error;
  }
}

type Scanner = { readonly text: string; at: number };

class Complaint extends Error {}

function fail({ text, at }: Scanner, where: string): never {
  const char = text[at];
  throw new Complaint(
    char === undefined ? 'unexpected end of JSON input' : `invalid character ${quoted(char)} ${where}`,
  );
}

function quoted(char: string): string {
  if (char === "'") return String.raw`'\''`;
  if (char === '"') return `'"'`;
  const escaped = JSON.stringify(char).slice(1, -1);
  const code = char.charCodeAt(0);
  return code >= 0x7f && code < 0xa0 ? `'\\u${code.toString(16).padStart(4, '0')}'` : `'${escaped}'`;
}

function skipSpace(scanner: Scanner): void {
  while (/[ \t\r\n]/.test(scanner.text[scanner.at] ?? '')) scanner.at += 1;
}

function readValue(scanner: Scanner): void {
  skipSpace(scanner);
  const char = scanner.text[scanner.at] ?? '';
  if (char === '{') readObject(scanner);
  else if (char === '[') readArray(scanner);
  else if (char === '"') readString(scanner);
  else if (char === '-' || /\d/.test(char)) readNumber(scanner);
  else {
    const word = ['true', 'false', 'null'].find((literal) => literal[0] === char);
    if (word === undefined) fail(scanner, 'looking for beginning of value');
    readLiteral(scanner, word);
  }
}

function readObject(scanner: Scanner): void {
  scanner.at += 1;
  skipSpace(scanner);
  if (take(scanner, '}')) return;
  for (;;) {
    skipSpace(scanner);
    if (scanner.text[scanner.at] !== '"') fail(scanner, 'looking for beginning of object key string');
    readString(scanner);
    skipSpace(scanner);
    if (!take(scanner, ':')) fail(scanner, 'after object key');
    readValue(scanner);
    skipSpace(scanner);
    if (take(scanner, '}')) return;
    if (!take(scanner, ',')) fail(scanner, 'after object key:value pair');
  }
}

function readArray(scanner: Scanner): void {
  scanner.at += 1;
  skipSpace(scanner);
  if (take(scanner, ']')) return;
  for (;;) {
    readValue(scanner);
    skipSpace(scanner);
    if (take(scanner, ']')) return;
    if (!take(scanner, ',')) fail(scanner, 'after array element');
  }
}

function readString(scanner: Scanner): void {
  scanner.at += 1;
  for (;;) {
    const char = scanner.text[scanner.at];
    if (char === undefined || char < ' ') fail(scanner, 'in string literal');
    scanner.at += 1;
    if (char === '"') return;
    if (char === '\\') readEscape(scanner);
  }
}

function readEscape(scanner: Scanner): void {
  const char = scanner.text[scanner.at] ?? '';
  if (char === '' || !'bfnrt\\/"u'.includes(char)) fail(scanner, 'in string escape code');
  scanner.at += 1;
  if (char !== 'u') return;
  for (let digit = 0; digit < 4; digit += 1) {
    if (!/[0-9a-f]/i.test(scanner.text[scanner.at] ?? ''))
      fail(scanner, String.raw`in \u hexadecimal character escape`);
    scanner.at += 1;
  }
}

function readNumber(scanner: Scanner): void {
  take(scanner, '-');
  if (!take(scanner, '0')) readDigits(scanner, 'in numeric literal');
  if (take(scanner, '.')) readDigits(scanner, 'after decimal point in numeric literal');
  if (!/e/i.test(scanner.text[scanner.at] ?? '')) return;
  scanner.at += 1;
  if (!take(scanner, '+')) take(scanner, '-');
  readDigits(scanner, 'in exponent of numeric literal');
}

function readDigits(scanner: Scanner, where: string): void {
  if (!/\d/.test(scanner.text[scanner.at] ?? '')) fail(scanner, where);
  while (/\d/.test(scanner.text[scanner.at] ?? '')) scanner.at += 1;
}

function readLiteral(scanner: Scanner, word: string): void {
  for (const letter of word) {
    if (!take(scanner, letter)) fail(scanner, `in literal ${word} (expecting '${letter}')`);
  }
}

function take(scanner: Scanner, char: string): boolean {
  if (scanner.text[scanner.at] !== char) return false;
  scanner.at += 1;
  return true;
}
