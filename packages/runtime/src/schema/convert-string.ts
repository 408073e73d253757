import { z } from 'zod';
import { LossySchemaError } from './lossy-schema-error.ts';
import { toRe2Pattern } from './re2-pattern.ts';
import type { StructuralSchema } from './structural-schema.ts';
import { twinOf } from './twin.ts';
import { checkDefOf, defOf } from './zod-def.ts';

/** Formats that zod checks by nothing but their pattern, so that the pattern says it all. */
const byPattern: Readonly<Record<string, StructuralSchema>> = {
  guid: { format: 'uuid' },
  uuid: { format: 'uuid' },
  email: { format: 'email' },
  ipv4: { format: 'ipv4' },
  cidrv4: { format: 'cidr' },
  date: { format: 'date' },
  datetime: { format: 'date-time' },
  time: {},
  mac: {},
  e164: {},
  nanoid: {},
  cuid: {},
  cuid2: {},
  ulid: {},
  xid: {},
  ksuid: {},
  hex: {},
};

/** Formats that zod checks with code, or with a pattern that RE2 cannot run, and what says the same to the server. */
const byHand: Readonly<Record<string, { readonly patterns: readonly string[]; readonly node: StructuralSchema }>> = {
  ipv6: { patterns: [], node: { format: 'ipv6' } },
  // The server's cidr is of either family.
  cidrv6: { patterns: [':'], node: { format: 'cidr' } },
  base64: { patterns: [z.regexes.base64.source], node: { format: 'byte' } },
  // zod's own pattern looks ahead to count 253 characters and perhaps a last dot.
  hostname: {
    patterns: [z.regexes.hostname.source.replace('(?=.{1,253}\\.?$)', '')],
    node: { maxLength: 254, anyOf: [{ maxLength: 253 }, { pattern: '\\.$' }] },
  },
};

type Found = { readonly patterns: string[]; readonly node: StructuralSchema };

export function convertString(schema: z.core.$ZodString, path: string): StructuralSchema {
  const def = defOf(schema);
  if (def.coerce) throw new LossySchemaError(path, 'coerce changes values in our process only');
  const found: Found = { patterns: [], node: { type: 'string' } };
  // A format such as z.email() is a string schema and its own first check.
  if ('check' in def) addCheck(found, schema as unknown as z.core.$ZodCheck, path);
  for (const check of def.checks ?? []) {
    if (!twinOf(check)) addCheck(found, check, path);
  }
  const { patterns, node } = found;
  // The server's byte refuses the empty string, which zod takes for valid base64.
  if (node.format === 'byte' && !node.minLength) delete node.format;
  if (patterns.length === 1 && patterns[0] !== undefined) node.pattern = patterns[0];
  if (patterns.length > 1) node.allOf = patterns.map((pattern) => ({ pattern }));
  return node;
}

function addCheck({ patterns, node }: Found, check: z.core.$ZodCheck, path: string): void {
  const def = checkDefOf(check);
  if (def.check === 'max_length') {
    node.maxLength = Math.min(node.maxLength ?? def.maximum, def.maximum);
  } else if (def.check === 'min_length') {
    node.minLength = Math.max(node.minLength ?? def.minimum, def.minimum);
  } else if (def.check === 'length_equals') {
    node.minLength = def.length;
    node.maxLength = def.length;
  } else if (def.check === 'string_format') {
    addFormat({ patterns, node }, def, path);
  } else if (def.check === 'overwrite') {
    throw new LossySchemaError(path, 'trim, toLowerCase and the like change values in our process only');
  } else {
    throw new LossySchemaError(path, `the check ${def.check} exists in our process only: use rule() with a CEL twin`);
  }
}

function addFormat({ patterns, node }: Found, def: z.core.$ZodCheckStringFormatDef, path: string): void {
  const affix = affixPattern(def, path);
  if (affix !== undefined) {
    patterns.push(affix);
    return;
  }
  if (def.format === 'regex' && def.pattern) {
    patterns.push(toRe2Pattern(def.pattern, path));
    return;
  }
  if (def.format === 'duration') {
    throw new LossySchemaError(
      path,
      'the server reads durations as Go writes them, no ISO 8601 value passes: use duration()',
    );
  }
  const hand = byHand[def.format];
  const known = hand?.node ?? byPattern[def.format];
  if (!known) throw new LossySchemaError(path, `the format ${def.format} exists in our process only: use regex()`);
  if (known.format !== undefined && node.format !== undefined) throw new LossySchemaError(path, 'has two formats');
  if (hand) patterns.push(...hand.patterns);
  else if (def.pattern) patterns.push(toRe2Pattern(def.pattern, path));
  // A local time has no zone, which the server's date-time demands.
  if ('local' in def && def.local) return;
  const maxLength = Math.min(node.maxLength ?? Infinity, known.maxLength ?? Infinity);
  Object.assign(node, known, maxLength < Infinity && { maxLength });
}

function affixPattern(def: z.core.$ZodCheckStringFormatDef, path: string): string | undefined {
  switch (def.format) {
    case 'starts_with':
      return `^${escape((def as z.core.$ZodCheckStartsWithDef).prefix)}`;
    case 'ends_with':
      return `${escape((def as z.core.$ZodCheckEndsWithDef).suffix)}$`;
    case 'includes': {
      const { includes, position } = def as z.core.$ZodCheckIncludesDef;
      if (position) throw new LossySchemaError(path, 'includes() from a position exists in our process only');
      return escape(includes);
    }
    case 'lowercase':
      return '^[^A-Z]*$';
    case 'uppercase':
      return '^[^a-z]*$';
    default:
      return undefined;
  }
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
