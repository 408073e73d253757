import { LossySchemaError } from './lossy-schema-error.ts';

/**
 * The API server compiles patterns as RE2 over code points, we run them as JavaScript. This writes a pattern that
 * means the same there, or says why there is none.
 */
export function toRe2Pattern(regex: RegExp, path: string): string {
  const fail = (why: string): never => {
    throw new LossySchemaError(path, `the pattern /${regex.source}/${regex.flags} ${why}`);
  };
  const flags = regex.flags.replace('u', '');
  if (flags !== '') fail(`has the flag ${flags}, which a CRD cannot carry`);
  const state: State = { source: regex.source, unicode: regex.unicode, fail };
  let out = '';
  for (let at = 0; at < state.source.length;) {
    const token = state.source[at] === '[' ? readClass(state, at) : readToken(state, at);
    out += token.text;
    at = token.next;
  }
  return out;
}

type State = { readonly source: string; readonly unicode: boolean; readonly fail: (why: string) => never };
type Token = { readonly text: string; readonly next: number };

// JavaScript's white space is wider than RE2's, and its dot stops at four line ends where RE2's stops at one.
const whiteSpace =
  '\\t\\n\\v\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';
const anyButLineEnd = '[^\\n\\r\\x{2028}\\x{2029}]';
/** RE2 refuses to repeat more often than this. */
const mostRepeats = 1000;

function readToken(state: State, at: number): Token {
  const { source } = state;
  const char = source.charAt(at);
  if (char === '\\') return readEscape(state, at, false);
  if (char === '.') {
    needUnicode(state, 'a dot');
    return { text: anyButLineEnd, next: at + 1 };
  }
  if (char === '(' && source[at + 1] === '?') return readGroup(state, at);
  if (char === '{') {
    const counts = /^\{(\d+)(?:,(\d*))?\}/.exec(source.slice(at));
    if (counts?.slice(1).some((count) => Number(count ?? 0) > mostRepeats)) {
      state.fail(`repeats more than ${mostRepeats} times, which RE2 refuses: use min and max`);
    }
  }
  return readPlain(state, at);
}

function readPlain(state: State, at: number): Token {
  const char = String.fromCodePoint(state.source.codePointAt(at) ?? 0);
  if (char.length > 1) needUnicode(state, 'a character outside the basic plane');
  return { text: char, next: at + char.length };
}

function readGroup({ source, fail }: State, at: number): Token {
  const head = source.slice(at, at + 4);
  if (head.startsWith('(?:')) return { text: '(?:', next: at + 3 };
  if (/^\(\?(?:[=!]|<[=!])/.test(head)) return fail('looks ahead or behind, which RE2 cannot');
  if (head.startsWith('(?<')) return { text: '(?P<', next: at + 3 };
  return fail('changes flags inside, which only some servers understand');
}

function readClass(state: State, start: number): Token {
  const { source, fail } = state;
  let at = start + 1;
  let text = '[';
  if (source[at] === '^') {
    needUnicode(state, 'a negated class');
    text += '^';
    at += 1;
  }
  if (source[at] === ']') return fail('has an empty class');
  while (source[at] !== ']') {
    const token = source[at] === '\\' ? readEscape(state, at, true) : readPlain(state, at);
    // RE2 reads [: as the start of a named class.
    text += token.text === '[' ? '\\[' : token.text;
    at = token.next;
  }
  return { text: `${text}]`, next: at + 1 };
}

function readEscape(state: State, at: number, inClass: boolean): Token {
  const { source, fail } = state;
  const char = source.charAt(at + 1);
  const next = at + 2;
  if (/[dwtnvfr]/.test(char)) return { text: `\\${char}`, next };
  if (/[DW]/.test(char)) {
    needUnicode(state, `\\${char}`);
    return { text: `\\${char}`, next };
  }
  if (/[bB]/.test(char) && !inClass) return { text: `\\${char}`, next };
  if (char === 's') return { text: inClass ? whiteSpace : `[${whiteSpace}]`, next };
  if (char === 'S' && !inClass) {
    needUnicode(state, '\\S');
    return { text: `[^${whiteSpace}]`, next };
  }
  if (char === '/') return { text: '/', next };
  if (/[1-9k]/.test(char)) return fail('refers back to a group, which RE2 cannot');
  if (/[uxpP0]/.test(char)) return readCodePoint(state, at);
  if (/[^\p{L}\p{N}]/u.test(char)) return { text: `\\${char}`, next };
  return fail(`has the escape \\${char}, which RE2 reads differently`);
}

function readCodePoint({ source, fail }: State, at: number): Token {
  const rest = source.slice(at);
  const hex = /^\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/i.exec(rest);
  if (hex) {
    const code = Number.parseInt(hex[1] ?? hex[2] ?? hex[3] ?? '', 16);
    if (code >= 0xd800 && code <= 0xdfff) return fail('names half of a surrogate pair: use the u flag and \\u{...}');
    return { text: `\\x{${code.toString(16)}}`, next: at + hex[0].length };
  }
  const property = /^\\[pP]\{[A-Z][a-z]?\}/.exec(rest);
  if (property) return { text: property[0], next: at + property[0].length };
  if (/^\\0(?!\d)/.test(rest)) return { text: '\\x{0}', next: at + 2 };
  return fail(`has the escape ${rest.slice(0, 3)}, which RE2 reads differently`);
}

/** Without the flag JavaScript counts UTF-16 units where RE2 counts code points. */
function needUnicode({ unicode, fail }: State, what: string): void {
  if (!unicode) fail(`has ${what}, which counts UTF-16 units here and code points on the server: add the u flag`);
}
