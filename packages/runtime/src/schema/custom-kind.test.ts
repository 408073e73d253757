import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import type { Kind } from '../kind.ts';
import { toCrdYaml } from './crd-yaml.ts';
import { defineCustomKind } from './custom-kind.ts';
import type { VersionDefinition } from './custom-version.ts';
import { gadget, gizmo } from './testing/gadget.ts';

const golden = join(import.meta.dirname, 'golden');

const kindOf = (...versions: VersionDefinition[]) =>
  defineCustomKind({ group: 'g.dev', kind: 'Thing', plural: 'things', scope: 'Cluster', versions });
const version: VersionDefinition = { name: 'v1', spec: z.object({ a: z.string() }) };

describe('the CRD', () => {
  for (const kind of [gadget, gizmo]) {
    test(`of ${kind.kind} is the golden file`, () => {
      const file = join(golden, `${kind.plural}.yaml`);
      const text = toCrdYaml(kind.toCrd());
      if (process.env['UPDATE_GOLDEN'] === '1') {
        mkdirSync(golden, { recursive: true });
        writeFileSync(file, text);
      }
      expect(text).toBe(readFileSync(file, 'utf8'));
    });
  }
  test('is the same text in whatever order the keys come', () => {
    expect(toCrdYaml({ b: 1, a: { d: 2, c: 3 } })).toBe(toCrdYaml({ a: { c: 3, d: 2 }, b: 1 }));
  });
  test('quotes what YAML 1.1 or 1.2 would read as something else than a string', () => {
    const words = { a: 'yes', b: '0o14', c: '12:30:45', d: '2026-01-01', e: '1_000', f: 'plain', g: '.5', h: 'null' };
    expect(toCrdYaml(words)).toBe(
      "a: \"yes\"\nb: '0o14'\nc: '12:30:45'\nd: '2026-01-01'\ne: '1_000'\nf: plain\ng: '.5'\nh: \"null\"\n",
    );
  });
});

describe('a custom kind', () => {
  test('is a kind of its storage version', () => {
    expect(gizmo).toMatchObject({
      group: 'samples.tributary.dev',
      version: 'v1',
      kind: 'Gizmo',
      plural: 'gizmos',
      scope: 'Cluster',
    });
    expect(gizmo.at('v1beta1').version).toBe('v1beta1');
    expect(() => gizmo.at('v2' as never)).toThrow('has no version v2');
  });
  test('carries the type of its objects', () => {
    type ObjectOf<K> = K extends Kind<infer T> ? T : never;
    expectTypeOf<ObjectOf<typeof gizmo>['spec']>().toEqualTypeOf<{ color: string; count: number }>();
    expectTypeOf<ObjectOf<ReturnType<typeof gizmo.at<'v1beta1'>>>['spec']>().toEqualTypeOf<{ color: string }>();
    type Backend = NonNullable<ObjectOf<typeof gadget>['spec']['backend']>;
    expectTypeOf<Extract<Backend, { type: 'Service' }>['host']>().toEqualTypeOf<undefined>();
    expectTypeOf<Extract<Backend, { type: 'Host' }>['host']>().toEqualTypeOf<string>();
    expectTypeOf<NonNullable<ObjectOf<typeof gadget>['status']>['replicas']>().toEqualTypeOf<number | undefined>();
  });
  test('has exactly one storage version', () => {
    expect(() => kindOf(version, { ...version, name: 'v2' })).toThrow('exactly one storage version, not 0');
    expect(() => kindOf(version, version)).toThrow('two versions of one name');
  });
  test('has an object as its spec', () => {
    expect(() => kindOf({ ...version, spec: z.record(z.string(), z.int()) })).toThrow('must be an object with fields');
    expect(() => kindOf({ ...version, spec: z.object({}).nullable() as never })).toThrow('Thing/v1.spec');
  });
  test('has columns and selectable fields that exist', () => {
    const column = (jsonPath: string) => ({ printerColumns: [{ name: 'A', type: 'string', jsonPath }] as const });
    expect(() => kindOf({ ...version, ...column('.spec.b') })).toThrow('.spec.b leads nowhere');
    expect(() => kindOf({ ...version, ...column('spec.a') })).toThrow('spec.a leads nowhere');
    expect(() => kindOf({ ...version, ...column('.metadata.labels.x') })).not.toThrow();
    expect(() => kindOf({ ...version, selectableFields: ['.spec'] })).toThrow('not a string, integer or boolean');
    const open = { name: 'v1', spec: z.looseObject({ m: z.record(z.string(), z.string()) }) };
    expect(() => kindOf({ ...open, ...column('.spec.m.key') })).not.toThrow();
    expect(() => kindOf({ ...open, ...column('.spec.other.deep') })).not.toThrow();
  });
  test('has rules at the root with a twin, or with oldSelf', () => {
    const rule = { cel: "self.metadata.name == 'x'", message: 'no' };
    expect(() => kindOf({ ...version, rules: [rule] })).toThrow('its twin');
    expect(() => kindOf({ ...version, rules: [{ cel: 'self == oldSelf', message: 'no', holds: () => true }] })).toThrow(
      'its twin',
    );
  });
});

describe('parsing', () => {
  const spec = { title: 'abc', class: 'c' };
  test('fills in the defaults', () => {
    expect(gadget.parseSpec(spec)).toEqual({
      ok: true,
      value: { ...spec, size: 'small', replicas: 1, timeout: '30s', retry: { max: 3, backoff: '1s' } },
    });
    expect(gizmo.parseSpec(undefined)).toEqual({ ok: true, value: { color: 'red', count: 0 } });
  });
  test('names every field that is wrong', () => {
    expect(gadget.parseSpec({ title: 'toolong', ports: [{ name: 'a', port: 0 }] })).toEqual({
      ok: false,
      reason: 'Invalid',
      message: expect.stringContaining('spec.ports[0].port: ') as string,
      problems: [
        { field: 'spec.title', message: expect.any(String) as string },
        { field: 'spec.class', message: expect.any(String) as string },
        { field: 'spec.ports[0].port', message: expect.any(String) as string },
      ],
    });
  });
  test('looks at status and at the rules of the root', () => {
    const object = { metadata: { name: 'forbidden' }, spec };
    expect(gadget.parseObject(object)).toMatchObject({ problems: [{ field: '', message: 'this name is taken' }] });
    expect(gadget.parseObject({ ...object, spec: {} } as never)).toMatchObject({
      problems: [{ field: 'spec.title' }, { field: 'spec.class' }],
    });
    const named = { ...object, metadata: { name: 'fine' } };
    expect(gadget.parseObject({ ...named, status: { replicas: 'x' } } as never)).toMatchObject({
      problems: [{ field: 'status.replicas' }],
    });
    expect(gadget.parseObject({ ...named, status: { replicas: 1 } } as never)).toMatchObject({
      ok: true,
      value: { metadata: { name: 'fine' }, spec: { size: 'small' }, status: { replicas: 1 } },
    });
    expect(gadget.parseObject({ ...named, spec: null } as never)).toMatchObject({ problems: [{ field: 'spec' }] });
  });
});

describe('a kind whose fields stand at the root', () => {
  const binding = defineCustomKind({
    group: 'example.com',
    kind: 'Binding',
    plural: 'bindings',
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        fieldsAtRoot: true,
        spec: z.object({ target: z.string(), size: z.int().default(1) }),
        status: z.object({ hosts: z.string().optional() }),
      },
    ],
  });

  test('has them beside metadata in its CRD, and no spec', () => {
    const [version] = binding.toCrd().spec.versions;
    expect(version?.schema.openAPIV3Schema).toMatchObject({ required: ['target'] });
    expect(Object.keys(version?.schema.openAPIV3Schema.properties ?? {})).toEqual([
      'apiVersion',
      'kind',
      'metadata',
      'target',
      'size',
      'status',
    ]);
  });

  test('is read with its defaults, or refused by the name of the field', () => {
    const given = { metadata: { name: 'a' }, target: 'x' };
    expect(binding.parseObject(given)).toEqual({ ok: true, value: { ...given, size: 1 } });
    expect(binding.parseObject({ metadata: { name: 'a' } })).toMatchObject({ problems: [{ field: 'target' }] });
  });
});
