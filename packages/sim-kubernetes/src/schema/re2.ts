// The API server matches patterns with RE2. What RE2 and JavaScript write alike is taken as it is, in Unicode mode,
// where `.` and classes see code points as RE2 does. Translated: `\z`, `\A`, `(?P<name>`, flags at the start, within or of
// a group, `\Q…\E`, POSIX classes, escapes of punctuation that Unicode mode refuses, and braces that are plain text.
// Refused as RE2 refuses them: look-around and back references. Known differences: RE2's `$` without the `m` flag
// matches only at the very end, which is also what JavaScript does; `\C`, `\pN` shorthand names beyond those that
// JavaScript knows, and the longest-match option do not exist here.

const compiled = new Map<string, RegExp | string>();
const keepAtMost = 1000;

/** The pattern, or the words in which the server refuses it. Compiled once. */
export function compileRe2(pattern: string): RegExp | string {
  const known = compiled.get(pattern);
  if (known !== undefined) return known;
  const fresh = compile(pattern);
  if (compiled.size >= keepAtMost) compiled.clear();
  compiled.set(pattern, fresh);
  return fresh;
}

function compile(pattern: string): RegExp | string {
  const refusal = refusedSyntax(pattern);
  if (refusal !== undefined) return refusal;
  try {
    const { source, flags } = translate(pattern);
    return new RegExp(source, `${flags}u`);
  } catch {
    return `error parsing regexp: ${syntaxProblem(pattern)}`;
  }
}

/** What is most often wrong, in RE2's words. */
function syntaxProblem(pattern: string): string {
  const plain = pattern.replaceAll(/\\./g, '__');
  const open = /\[[^\]]*$/.exec(plain.replaceAll(/\[[^\]]*\]/g, (found) => '_'.repeat(found.length)));
  if (open) return `missing closing ]: \`${pattern.slice(open.index)}\``;
  const repeated = /(?:^|[(|])([*+?])/.exec(plain)?.[1];
  if (repeated !== undefined) return `missing argument to repetition operator: \`${repeated}\``;
  const opened = plain.split('(').length;
  const closed = plain.split(')').length;
  if (opened > closed) return `missing closing ): \`${pattern}\``;
  return opened < closed ? `unexpected ): \`${pattern}\`` : `invalid syntax: \`${pattern}\``;
}

function refusedSyntax(pattern: string): string | undefined {
  const look = /(?<!\\)(?:\\\\)*(\(\?(?:[=!]|<[=!]))/.exec(pattern)?.[1];
  if (look !== undefined) return `error parsing regexp: invalid or unsupported Perl syntax: \`${look}\``;
  const back = /(?<!\\)(?:\\\\)*(\\[1-9]|\\k<)/.exec(pattern)?.[1];
  if (back !== undefined) return `error parsing regexp: invalid escape sequence: \`${back}\``;
  return undefined;
}

/** `groups` has, for each group that is open, the flags that were set within it. */
type Reading = { readonly pattern: string; at: number; out: string; inClass: boolean; readonly groups: string[][] };

function translate(pattern: string): { readonly source: string; readonly flags: string } {
  const lead = /^\(\?([imsU]+)\)/.exec(pattern);
  const flags = (lead?.[1] ?? '').replaceAll('U', '');
  const reading: Reading = { pattern, at: lead?.[0].length ?? 0, out: '', inClass: false, groups: [[]] };
  while (reading.at < pattern.length) step(reading);
  return { source: `${reading.out}${closing(reading)}`, flags };
}

function step(reading: Reading): void {
  const char = reading.pattern[reading.at] ?? '';
  if (char === '\\') escape(reading);
  else if (reading.inClass) inClass(reading, char);
  else if (char === '[') openClass(reading);
  else if (char === '{') brace(reading);
  else if ('()|'.includes(char)) group(reading, char);
  else emit(reading, char === '}' || char === ']' ? `\\${char}` : char, 1);
}

/**
 * Flags within a pattern hold to the end of their group, also behind a `|`. JavaScript has them for a group of their own
 * only, so there is one for each branch that they hold for.
 */
function group(reading: Reading, char: string): void {
  const [whole = '', on = '', off = ''] = /^\(\?([imsU]*)(-[imsU]+)?\)/.exec(reading.pattern.slice(reading.at)) ?? [];
  if (whole !== '') {
    const flags = `${on}${off}`.replaceAll('U', '').replace(/-$/, '');
    if (flags !== '') reading.groups.at(-1)?.push(flags);
    emit(reading, flags === '' ? '' : `(?${flags}:`, whole.length);
  } else if (char === '(') {
    reading.groups.push([]);
    if (reading.pattern.startsWith('(?P<', reading.at)) emit(reading, '(?<', 4);
    else emit(reading, '(', 1);
  } else if (char === ')') {
    emit(reading, `${closing(reading)})`, 1);
    reading.groups.pop();
  } else {
    const again = (reading.groups.at(-1) ?? []).map((flags) => `(?${flags}:`).join('');
    emit(reading, `${closing(reading)}|${again}`, 1);
  }
}

function closing({ groups }: Reading): string {
  return ')'.repeat(groups.at(-1)?.length ?? 0);
}

function openClass(reading: Reading): void {
  reading.inClass = true;
  const negated = reading.pattern[reading.at + 1] === '^';
  emit(reading, negated ? '[^' : '[', negated ? 2 : 1);
  // A bracket that comes first stands for itself.
  if (reading.pattern[reading.at] === ']') emit(reading, '\\]', 1);
}

const posixClasses: Readonly<Record<string, string>> = {
  alnum: '0-9A-Za-z',
  alpha: 'A-Za-z',
  ascii: '\\x00-\\x7F',
  blank: '\\t ',
  cntrl: '\\x00-\\x1F\\x7F',
  digit: '0-9',
  graph: '!-~',
  lower: 'a-z',
  print: ' -~',
  punct: '!-\\/:-@\\[-`\\{-~',
  space: '\\t\\n\\v\\f\\r ',
  upper: 'A-Z',
  word: '0-9A-Za-z_',
  xdigit: '0-9A-Fa-f',
};

function inClass(reading: Reading, char: string): void {
  const posix = /^\[:(\w+):\]/.exec(reading.pattern.slice(reading.at));
  const named = posix?.[1] === undefined ? undefined : posixClasses[posix[1]];
  if (posix && named !== undefined) emit(reading, named, posix[0].length);
  else if (char === ']') {
    reading.inClass = false;
    emit(reading, ']', 1);
  } else if (char === '-') emit(reading, isRangeDash(reading) ? '-' : '\\-', 1);
  else emit(reading, '[(){}/|'.includes(char) ? `\\${char}` : char, 1);
}

/** Unicode mode refuses a dash beside a class such as `\w`; RE2 takes it as a dash. */
function isRangeDash(reading: Reading): boolean {
  const before = reading.out.slice(-2);
  const after = reading.pattern.slice(reading.at + 1, reading.at + 3);
  if (/^\\[dwsDWSpP]$/.test(before) || /^\\[dwsDWSpP]/.test(after) || after.startsWith(']')) return false;
  return !/(?<!\\)\[\^?$/.test(reading.out);
}

function brace(reading: Reading): void {
  const repeat = /^\{\d+(?:,\d*)?\}/.exec(reading.pattern.slice(reading.at));
  if (repeat) emit(reading, repeat[0], repeat[0].length);
  else emit(reading, '\\{', 1);
}

function escape(reading: Reading): void {
  const next = reading.pattern[reading.at + 1] ?? '';
  if (next === 'z') emit(reading, '$(?![^])', 2);
  else if (next === 'A') emit(reading, '(?<![^])', 2);
  else if (next === 'Q') quoted(reading);
  else if (next === 'a') emit(reading, '\\x07', 2);
  else if (next === 'x' && reading.pattern[reading.at + 2] === '{') emit(reading, '\\u', 2);
  else if ('pP'.includes(next) && reading.pattern[reading.at + 2] !== '{') {
    emit(reading, `\\${next}{${reading.pattern[reading.at + 2] ?? ''}}`, 3);
  } else if (/[A-Za-z0-9]/.test(next)) emit(reading, `\\${next}`, 2);
  else emit(reading, needsEscape(next, reading.inClass) ? `\\${next}` : next, 2);
}

function needsEscape(char: string, inClass: boolean): boolean {
  return '^$\\.*+?()[]{}|/'.includes(char) || (inClass && char === '-');
}

function quoted(reading: Reading): void {
  const end = reading.pattern.indexOf('\\E', reading.at + 2);
  const text = reading.pattern.slice(reading.at + 2, end === -1 ? undefined : end);
  reading.out += text.replaceAll(/[\^$\\.*+?()[\]{}|/]/g, '\\$&');
  reading.at = end === -1 ? reading.pattern.length : end + 2;
}

function emit(reading: Reading, text: string, consumed: number): void {
  reading.out += text;
  reading.at += consumed;
}
