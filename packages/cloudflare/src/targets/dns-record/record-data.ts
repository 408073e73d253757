import { canonicalHost } from '../../refs/canonical-host.ts';

// Types whose value is a set of named parts. Cloudflare wants the parts and makes the text of them itself.

type Part = { readonly name: string; readonly kind: 'number' | 'text' | 'host' | 'hex' | 'metres' };

export type RecordData = Readonly<Record<string, string | number>>;
export type DataResult =
  | { readonly ok: true; readonly data: RecordData }
  | { readonly ok: false; readonly message: string };

const parts =
  (kind: Part['kind']) =>
  (...names: readonly string[]): readonly Part[] =>
    names.map((name) => ({ name, kind }));
const [numbers, texts, hosts, hex, metres] = [
  parts('number'),
  parts('text'),
  parts('host'),
  parts('hex'),
  parts('metres'),
];

const association = [...numbers('usage', 'selector', 'matching_type'), ...hex('certificate')];
const binding = [...numbers('priority'), ...hosts('target'), ...texts('value')];

/** In the order in which the text of a record has them. */
const forms: Readonly<Record<string, readonly Part[]>> = {
  SRV: [...numbers('priority', 'weight', 'port'), ...hosts('target')],
  CAA: [...numbers('flags'), ...texts('tag', 'value')],
  TLSA: association,
  SMIMEA: association,
  SSHFP: [...numbers('algorithm', 'type'), ...hex('fingerprint')],
  CERT: [...numbers('type', 'key_tag', 'algorithm'), ...texts('certificate')],
  DS: [...numbers('key_tag', 'algorithm', 'digest_type'), ...hex('digest')],
  DNSKEY: [...numbers('flags', 'protocol', 'algorithm'), ...texts('public_key')],
  NAPTR: [...numbers('order', 'preference'), ...texts('flags', 'service', 'regex'), ...hosts('replacement')],
  HTTPS: binding,
  SVCB: binding,
  URI: [...numbers('weight'), ...texts('target')],
  LOC: [
    ...numbers('lat_degrees', 'lat_minutes', 'lat_seconds'),
    ...texts('lat_direction'),
    ...numbers('long_degrees', 'long_minutes', 'long_seconds'),
    ...texts('long_direction'),
    ...metres('altitude', 'size', 'precision_horz', 'precision_vert'),
  ],
};

export function hasData(type: string): boolean {
  return Object.hasOwn(forms, type);
}

/**
 * The parts of a record by the names of the API. A number that is not given is 0: whoever writes such objects from Go
 * leaves it out. A priority that stands beside the parts counts where there is none among them.
 */
export function toRecordData(type: string, given: RecordData, priority: number | undefined): DataResult {
  const named: RecordData = {
    ...(priority !== undefined && { priority }),
    ...Object.fromEntries(Object.entries(given).map(([key, value]) => [toSnakeCase(key), value])),
  };
  const entries: (readonly [string, string | number])[] = [];
  for (const part of forms[type] ?? []) {
    const value = toValue(part, named[part.name]);
    if (value === undefined) return { ok: false, message: `spec.data.${toCamelCase(part.name)}: ${complaint(part)}` };
    entries.push([part.name, value]);
  }
  return { ok: true, data: Object.fromEntries(entries) };
}

/** The parts in a text such as `0 issue "letsencrypt.org"`. A priority may be left out of it. */
export function parseRecordText(type: string, text: string, priority: number | undefined): DataResult {
  const form = forms[type] ?? [];
  const words = [...text.matchAll(/"((?:[^"\\]|\\.)*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? '');
  const [first] = form;
  const short = first?.name === 'priority' && words.length === form.length - 1 && priority !== undefined;
  const named = short ? form.slice(1) : form;
  // The last part takes the rest: parameters of a service, a key in several pieces.
  const values = words.length > named.length ? [...words.slice(0, named.length - 1), rest(words, named)] : words;
  const data = Object.fromEntries(named.flatMap(({ name }, index) => toEntry(name, values[index])));
  if (type !== 'LOC' && values.length < named.length) {
    const expected = form.map(({ name }) => toCamelCase(name)).join(' ');
    return { ok: false, message: `spec.content: an ${type} record needs ${expected}, or spec.data` };
  }
  return toRecordData(type, data, priority);
}

/** Equal for two forms of the same parts. */
export function canonicalData(type: string, data: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(
    (forms[type] ?? []).map(({ name, kind }) => {
      const given = data[name];
      const value = typeof given === 'string' || typeof given === 'number' ? String(given) : '';
      if (kind === 'number' || kind === 'metres') return Number(value.replace(/m$/, ''));
      if (kind === 'host') return canonicalHost(value);
      return kind === 'hex' ? value.toLowerCase() : value;
    }),
  );
}

function rest(words: readonly string[], named: readonly Part[]): string {
  return words.slice(named.length - 1).join(' ');
}

function toEntry(name: string, value: string | undefined): readonly (readonly [string, string])[] {
  return value === undefined ? [] : [[name, value]];
}

function toValue({ kind }: Part, value: string | number | undefined): string | number | undefined {
  if (kind === 'number' || kind === 'metres') {
    const number = Number(String(value ?? 0).replace(/m$/, ''));
    return Number.isNaN(number) ? undefined : number;
  }
  return value === undefined ? undefined : String(value);
}

function complaint({ kind }: Part): string {
  return kind === 'number' || kind === 'metres' ? 'must be a number' : 'must be given for a record of this type';
}

function toSnakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
