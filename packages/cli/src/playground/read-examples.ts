import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { getCondition, parseYamlDocuments } from '@tributary/runtime';
import type { AnyCustomKind, AnyObject, Condition, Kind } from '@tributary/runtime';
import type { Example } from './scene.ts';

/** The objects in the YAML files of a folder and those below it, or in some of them, in the order of their names. */
export function readExamples(
  folder: string,
  kindOf: (object: AnyObject) => Kind,
  wanted: (file: string) => boolean = (file) => file.endsWith('.yaml'),
): readonly Example[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(wanted);
  return files.toSorted().flatMap((file) =>
    parseYamlDocuments(readFileSync(join(folder, file), 'utf8')).map((document) => {
      const object = document as AnyObject;
      const kind = kindOf(object);
      const place = kind.scope === 'Namespaced' ? { namespace: object.metadata.namespace ?? 'default' } : {};
      return { kind, object: { ...object, metadata: { ...object.metadata, ...place } } };
    }),
  );
}

type Told = {
  readonly conditions?: readonly Condition[];
  readonly loadBalancer?: { readonly ingress?: readonly unknown[] };
};

/** Objects say so in a condition, where their kind has any; an Ingress has an address; of others it is enough that they are there. */
export function isReadyByCondition(kinds: readonly AnyCustomKind[]): (example: Example, seen: AnyObject) => boolean {
  const telling = new Set(kinds.filter(hasConditions).map(({ kind }) => kind));
  return ({ kind }, seen) => {
    const status = (seen['status'] ?? {}) as Told;
    if (telling.has(kind.kind)) return getCondition(status.conditions, 'Ready')?.status === 'True';
    return kind.kind !== 'Ingress' || (status.loadBalancer?.ingress ?? []).length > 0;
  };
}

function hasConditions(kind: AnyCustomKind): boolean {
  return JSON.stringify(kind.toCrd().spec.versions).includes('"conditions":');
}
