import type { Fields } from '../../api/fields.ts';
import { invalidRecord } from './dns-refusal.ts';
import { normaliseHost } from './normalise-name.ts';

type DataForm = {
  /** Every field that must be there, and what it holds. */
  readonly fields: Readonly<Record<string, 'number' | 'text' | 'host'>>;
  readonly toContent: (data: Fields) => string;
};

const joined =
  (...names: readonly string[]) =>
  (data: Fields): string =>
    names.map((name) => String(data[name])).join(' ');

const certificate: DataForm = {
  fields: { usage: 'number', selector: 'number', matching_type: 'number', certificate: 'text' },
  toContent: joined('usage', 'selector', 'matching_type', 'certificate'),
};

const service: DataForm = {
  fields: { priority: 'number', target: 'host', value: 'text' },
  toContent: joined('priority', 'target', 'value'),
};

/** Types whose `content` follows from `data`. */
const dataForms: Readonly<Record<string, DataForm>> = {
  // The priority is not part of the text.
  SRV: {
    fields: { priority: 'number', weight: 'number', port: 'number', target: 'host' },
    toContent: joined('weight', 'port', 'target'),
  },
  CAA: {
    fields: { flags: 'number', tag: 'text', value: 'text' },
    toContent: ({ flags, tag, value }) => `${String(flags)} ${String(tag)} "${String(value)}"`,
  },
  LOC: {
    fields: {
      lat_degrees: 'number',
      lat_direction: 'text',
      long_degrees: 'number',
      long_direction: 'text',
    },
    toContent: toLocation,
  },
  TLSA: certificate,
  SMIMEA: certificate,
  SSHFP: {
    fields: { algorithm: 'number', type: 'number', fingerprint: 'text' },
    toContent: joined('algorithm', 'type', 'fingerprint'),
  },
  CERT: {
    fields: { type: 'number', key_tag: 'number', algorithm: 'number', certificate: 'text' },
    toContent: joined('type', 'key_tag', 'algorithm', 'certificate'),
  },
  DS: {
    fields: { key_tag: 'number', algorithm: 'number', digest_type: 'number', digest: 'text' },
    toContent: joined('key_tag', 'algorithm', 'digest_type', 'digest'),
  },
  DNSKEY: {
    fields: { flags: 'number', protocol: 'number', algorithm: 'number', public_key: 'text' },
    toContent: joined('flags', 'protocol', 'algorithm', 'public_key'),
  },
  NAPTR: {
    fields: {
      order: 'number',
      preference: 'number',
      flags: 'text',
      service: 'text',
      regex: 'text',
      replacement: 'text',
    },
    toContent: ({ order, preference, flags, service: name, regex, replacement }) =>
      `${String(order)} ${String(preference)} "${String(flags)}" "${String(name)}" "${String(regex)}" ${String(replacement)}`,
  },
  HTTPS: service,
  SVCB: service,
  URI: {
    fields: { weight: 'number', target: 'text' },
    toContent: ({ weight, target }) => `${String(weight)} "${String(target)}"`,
  },
};

export function hasData(type: string): boolean {
  return Object.hasOwn(dataForms, type);
}

/** `data` as it is read back, numbers as numbers, and the `content` that follows from it. */
export function normaliseData(type: string, given: Fields): { readonly data: Fields; readonly content: string } {
  const form = dataForms[type];
  if (!form) return { data: given, content: '' };
  const data: Record<string, unknown> = { ...given };
  for (const [name, kind] of Object.entries(form.fields)) data[name] = toField(name, kind, given[name]);
  if (type === 'LOC') for (const name of locationNumbers) data[name] = Number(given[name] ?? 0);
  return { data, content: form.toContent(data) };
}

function toField(name: string, kind: 'number' | 'text' | 'host', value: unknown): unknown {
  if (value === undefined || value === null) throw invalidRecord(9101, `${name} is a required data field.`);
  if (kind === 'number') {
    const number = typeof value === 'string' && value !== '' ? Number(value) : value;
    if (typeof number !== 'number' || !Number.isInteger(number) || number < 0) {
      throw invalidRecord(9102, `${name} is not a valid number.`);
    }
    return number;
  }
  if (typeof value !== 'string') throw invalidRecord(9102, `${name} is not a valid text.`);
  return kind === 'host' ? normaliseHost(value) : value;
}

const locationNumbers = [
  'lat_minutes',
  'lat_seconds',
  'long_minutes',
  'long_seconds',
  'altitude',
  'size',
  'precision_horz',
  'precision_vert',
];

function textIn(data: Fields, name: string): string {
  const value = data[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '0';
}

function toLocation(data: Fields): string {
  const side = (prefix: string): string =>
    ['degrees', 'minutes', 'seconds', 'direction'].map((name) => textIn(data, `${prefix}_${name}`)).join(' ');
  const metres = ['altitude', 'size', 'precision_horz', 'precision_vert'].map(
    (name) => `${Number(data[name] ?? 0).toFixed(2)}m`,
  );
  return [side('lat'), side('long'), ...metres].join(' ');
}
