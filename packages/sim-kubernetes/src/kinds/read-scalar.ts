import { canonicalQuantity } from './quantity.ts';
import type { Place } from './unreadable-value.ts';
import { jsonType, unreadable, UnreadableValue } from './unreadable-value.ts';

export type ScalarForm =
  | 'string'
  | 'boolean'
  | 'int32'
  | 'int64'
  | 'number'
  | 'bytes'
  | 'quantity'
  | 'int-or-string'
  | 'time'
  | 'micro-time';

const int32Limit = 2 ** 31;

const readers: Readonly<Record<ScalarForm, (given: unknown, place: Place) => unknown>> = {
  string: (given, place) => expectType(given, 'string', place, 'string'),
  boolean: (given, place) => expectType(given, 'boolean', place, 'bool'),
  number: (given, place) => expectType(given, 'number', place, 'float64'),
  int32: (given, place) => readInteger(given, 'int32', place),
  int64: (given, place) => readInteger(given, 'int64', place),
  bytes: readBytes,
  quantity: readQuantity,
  'int-or-string': (given, place) => (typeof given === 'string' ? given : readInteger(given, 'int32', place)),
  time: (given, place) => readTime(given, place, false),
  'micro-time': (given, place) => readTime(given, place, true),
};

/** One scalar in canonical form; throws where Go's decoder would refuse it. */
export function readScalar(given: unknown, form: ScalarForm, place: Place): unknown {
  return readers[form](given, place);
}

function expectType(given: unknown, type: 'string' | 'boolean' | 'number', place: Place, want: string): unknown {
  if (typeof given !== type) throw unreadable(jsonType(given), place, want);
  return given;
}

function readInteger(given: unknown, form: 'int32' | 'int64', place: Place): number {
  if (typeof given !== 'number') throw unreadable(jsonType(given), place, form);
  const fits = Number.isInteger(given) && (form === 'int64' || (given < int32Limit && given >= -int32Limit));
  if (!fits) throw unreadable(`number ${given}`, place, form);
  return given;
}

function readBytes(given: unknown, place: Place): string {
  // Go takes a list of numbers for bytes as well.
  if (
    Array.isArray(given) &&
    given.every((byte) => byte === null || (Number.isInteger(byte) && byte >= 0 && byte < 256))
  ) {
    return Buffer.from(given.map(Number)).toString('base64');
  }
  if (typeof given !== 'string') throw unreadable(jsonType(given), place, '[]uint8');
  // Go's decoder ignores line breaks in base64.
  const text = given.replaceAll(/[\r\n]/g, '');
  const fault = /[^A-Za-z0-9+/]/.exec(text.replace(/={0,2}$/, ''))?.index;
  if (fault !== undefined) throw new UnreadableValue(`illegal base64 data at input byte ${fault}`);
  if (text.length % 4 !== 0) throw new UnreadableValue(`illegal base64 data at input byte ${illegalEnd(text)}`);
  return text;
}

function illegalEnd(text: string): number {
  const bare = text.replace(/=+$/, '').length;
  return bare === text.length ? text.length - (text.length % 4) : bare;
}

function readQuantity(given: unknown): string {
  const canonical =
    typeof given === 'number' || typeof given === 'string' ? canonicalQuantity(String(given)) : undefined;
  if (canonical !== undefined) return canonical;
  throw new UnreadableValue(
    `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
  );
}

const timeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;
// Go takes a fraction where the layout has none, but where it has one the digits must be as many.
const microTimeForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.(\d{6})(?:Z|[+-]\d\d:\d\d)$/;

function readTime(given: unknown, place: Place, micro: boolean): string {
  if (typeof given !== 'string') throw unreadable(jsonType(given), place, 'string');
  const match = (micro ? microTimeForm : timeForm).exec(given);
  const milliseconds = match === null ? Number.NaN : Date.parse(given);
  if (match === null || Number.isNaN(milliseconds)) throw new UnreadableValue(timeFault(given, micro));
  const seconds = new Date(milliseconds).toISOString().slice(0, 19);
  return micro ? `${seconds}.${match[1] ?? ''}Z` : `${seconds}Z`;
}

function timeFault(given: string, micro: boolean): string {
  const layout = micro ? '2006-01-02T15:04:05.000000Z07:00' : '2006-01-02T15:04:05Z07:00';
  const fraction = micro ? /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(.*)$/.exec(given)?.[1] : undefined;
  const digits = fraction === undefined ? undefined : /^\.\d{6}(.*)$/.exec(fraction)?.[1];
  if (fraction === undefined) return timeMismatch(given, layout, JSON.stringify(given), '"2006"');
  return digits === undefined
    ? timeMismatch(given, layout, JSON.stringify(fraction), '".000000"')
    : timeMismatch(given, layout, JSON.stringify(digits), '"Z07:00"');
}

function timeMismatch(given: string, layout: string, rest: string, wanted: string): string {
  return `parsing time ${JSON.stringify(given)} as ${JSON.stringify(layout)}: cannot parse ${rest} as ${wanted}`;
}
