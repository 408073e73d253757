import type { SchemaNode } from '../registry/schema-node.ts';
import { parseRequestUri } from './go-url.ts';
import { parseCidr, parseIp } from './ip-address.ts';
import { parseAddress } from './mail-address.ts';

/** What a string of each format that the server enforces must look like. Other formats are ignored. */
const checks: Readonly<Record<string, (text: string) => boolean>> = {
  bsonobjectid: (text) => /^[0-9a-fA-F]{24}$/.test(text),
  uri: (text) => parseRequestUri(text) !== undefined,
  email: parseAddress,
  hostname: isHostname,
  ipv4: (text) => text.includes('.') && parseIp(text, { sloppy: true }) !== undefined,
  ipv6: (text) => text.includes(':') && parseIp(text) !== undefined,
  cidr: (text) => parseCidr(text, { sloppy: true }) !== undefined,
  mac: isMac,
  uuid: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid3: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?3[0-9a-f]{3}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i.test(text),
  uuid4: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?4[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  uuid5: (text) => /^[0-9a-f]{8}-?[0-9a-f]{4}-?5[0-9a-f]{3}-?[89ab][0-9a-f]{3}-?[0-9a-f]{12}$/i.test(text),
  isbn: (text) => isIsbn10(text) || isIsbn13(text),
  isbn10: isIsbn10,
  isbn13: isIsbn13,
  creditcard: isCreditCard,
  ssn: (text) => text.length === 11 && /^\d{3}[- ]?\d{2}[- ]?\d{4}$/.test(text),
  hexcolor: (text) => /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/.test(text),
  rgbcolor: (text) =>
    /^rgb\(\s*(\d{1,3})\s*,\s*(\d{1,3})\s*,\s*(\d{1,3})\s*\)$/.exec(text)?.slice(1).every(isColour) ?? false,
  byte: (text) => /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/.test(text),
  password: () => true,
  date: isDate,
  duration: (text) => parseDurationMs(text) !== undefined,
  datetime: isDateTime,
  k8sshortname: (text) => text.length <= 63 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(text),
  k8slongname: (text) =>
    text.length <= 253 && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/.test(text),
};

/** The format of a schema as far as the server minds it: dashes do not count, unknown names are no format. */
export function enforcedFormat(schema: SchemaNode): string {
  const { format = '' } = schema;
  const type = schema['x-kubernetes-int-or-string'] === true ? undefined : schema.type;
  if (type === undefined || type === 'string') return formatKey(format) === undefined ? '' : format;
  if (type === 'integer') return format === 'int32' || format === 'int64' ? format : '';
  if (type === 'number') return format === 'float' || format === 'double' ? format : '';
  return '';
}

export function matchesFormat(format: string, text: string): boolean {
  const key = formatKey(format);
  return key === undefined || (checks[key]?.(text) ?? true);
}

// Names are compared without dashes, but the two long ones were registered with theirs and are looked up with them.
function formatKey(format: string): string | undefined {
  const key = format.replaceAll('-', '');
  return Object.hasOwn(checks, key) ? key : undefined;
}

export function isDate(text: string): boolean {
  const parts = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!parts) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const at = new Date(Date.UTC(2000, month - 1, day));
  at.setUTCFullYear(year, month - 1, day);
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === day;
}

export function isDateTime(text: string): boolean {
  const [date = '', time] = text.toLowerCase().split('t');
  if (text.length < 4 || time === undefined || !isDate(date)) return false;
  const parts = /^(\d{2}):(\d{2}):(\d{2})(.\d+)?(z|([+-]\d{2}:\d{2}))$/.exec(time);
  return parts !== null && (parts[1] ?? '') <= '23' && (parts[2] ?? '') <= '59' && (parts[3] ?? '') <= '59';
}

const unitMs: ReadonlyMap<string, number> = new Map([
  ['ns', 1e-6],
  ['us', 1e-3],
  ['µs', 1e-3],
  ['μs', 1e-3],
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
]);

const longUnits: readonly (readonly [pattern: RegExp, ms: number])[] = [
  [/^(ns|nano.*)$/, 1e-6],
  [/^(us|µs|micro.*)$/, 1e-3],
  [/^(ms|milli.*)$/, 1],
  [/^(s|sec.*)$/, 1000],
  [/^(m|min.*)$/, 60_000],
  [/^(h|hr|hour.*)$/, 3_600_000],
  [/^(d|day.*)$/, 86_400_000],
  [/^(w|wk|week.*)$/, 604_800_000],
];

/** A duration in milliseconds, as Go writes them (`1h30m`) or in words (`2 days`); undefined when it is none. */
export function parseDurationMs(text: string): number | undefined {
  return parseGoDuration(text) ?? parseWordyDuration(text);
}

function parseGoDuration(text: string): number | undefined {
  const whole = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.exec(text);
  if (!whole) return /^[+-]?0$/.test(text) ? 0 : undefined;
  let total = 0;
  for (const part of (whole[2] ?? '').matchAll(/(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g)) {
    total += Number(part[1]) * (unitMs.get(part[2] ?? '') ?? 0);
  }
  return whole[1] === '-' ? -total : total;
}

function parseWordyDuration(text: string): number | undefined {
  let total: number | undefined;
  for (const [, amount, word = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    for (const [pattern, ms] of longUnits) {
      if (pattern.test(word.toLowerCase())) total = (total ?? 0) + Number(amount) * ms;
    }
  }
  return total;
}

const hostname =
  /^([a-zA-Z0-9\p{S}\p{L}]((-?[a-zA-Z0-9\p{S}\p{L}]{0,62})?)|([a-zA-Z0-9\p{S}\p{L}](([a-zA-Z0-9\-\p{S}\p{L}]{0,61}[a-zA-Z0-9\p{S}\p{L}])?)(\.)){1,}([a-zA-Z\p{L}]){2,63})$/u;

function isHostname(text: string): boolean {
  if (!hostname.test(text) || Buffer.byteLength(text) > 255) return false;
  return text.split('.').every((part) => Buffer.byteLength(part) <= 63);
}

function isMac(text: string): boolean {
  return (
    /^[0-9a-fA-F]{2}(?:([:-])[0-9a-fA-F]{2})(?:\1[0-9a-fA-F]{2}){4}(?:(?:\1[0-9a-fA-F]{2}){2}|(?:\1[0-9a-fA-F]{2}){14})?$/.test(
      text,
    ) || /^[0-9a-fA-F]{4}(?:\.[0-9a-fA-F]{4}){2}(?:\.[0-9a-fA-F]{4}|(?:\.[0-9a-fA-F]{4}){7})?$/.test(text)
  );
}

function isColour(text: string): boolean {
  return /^(0|[1-9]\d?|1\d\d?|2[0-4]\d|25[0-5])$/.test(text);
}

function isIsbn10(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, '');
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  const sum = digits.split('').reduce((total, digit, at) => total + (at + 1) * (digit === 'X' ? 10 : Number(digit)), 0);
  return sum % 11 === 0;
}

function isIsbn13(text: string): boolean {
  const digits = text.replaceAll(/[\s-]+/g, '');
  if (!/^\d{13}$/.test(digits)) return false;
  const sum = digits.split('').reduce((total, digit, at) => total + (at % 2 === 0 ? 1 : 3) * Number(digit), 0);
  return sum % 10 === 0;
}

const card =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D+/g, '');
  if (!card.test(digits)) return false;
  const sum = digits
    .split('')
    .toReversed()
    .reduce((total, digit, at) => {
      const twice = Number(digit) * 2;
      return total + (at % 2 === 0 ? Number(digit) : twice - (twice > 9 ? 9 : 0));
    }, 0);
  return sum % 10 === 0;
}
