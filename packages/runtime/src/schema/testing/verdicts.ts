/** For tests: specs with what the real API server said to them, so that we can be held to it without one. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyCustomKind } from '../custom-kind.ts';
import { gadgetSpecs } from './gadget-specs.ts';
import { gadget } from './gadget.ts';
import { phrase, phrases } from './phrase.ts';

export type Verdict =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly fields: readonly string[] };

export type Recorded = { readonly kind: string; readonly spec: unknown; readonly verdict: Verdict };

const file = join(import.meta.dirname, '../golden/verdicts.json');

export function recordedSpecs(): readonly (readonly [AnyCustomKind, Readonly<Record<string, unknown>>])[] {
  const root = phrase.toCrd().spec.versions[0]?.schema.openAPIV3Schema;
  const fields = Object.keys(root?.properties?.['spec']?.properties ?? {});
  return [
    [gadget, { nothing: 'given' }],
    ...gadgetSpecs.map((spec) => [gadget, { title: 'abc', class: 'c', ...spec }] as const),
    ...phrases.map((word) => [phrase, Object.fromEntries(fields.map((field) => [field, word]))] as const),
  ];
}

export function readVerdicts(): readonly Recorded[] {
  return JSON.parse(readFileSync(file, 'utf8')) as Recorded[];
}

export function writeVerdicts(recorded: readonly Recorded[]): void {
  writeFileSync(file, `[\n${recorded.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`);
}

export function ourVerdict(kind: AnyCustomKind, spec: unknown): Verdict {
  const parsed = kind.parseSpec(spec);
  if (parsed.ok) return { ok: true, value: parsed.value };
  return { ok: false, fields: distinct(parsed.problems.map(({ field }) => field)) };
}

export function distinct(fields: readonly string[]): readonly string[] {
  return [...new Set(fields)].toSorted();
}
