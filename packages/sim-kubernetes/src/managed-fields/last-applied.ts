// `kubectl apply` without a server side keeps what it applied in an annotation. When kubectl goes over to
// server-side apply, what it had applied before must not stand in its way.
import type { Draft } from '../registry/json.ts';
import { goJson } from '../schema/go-format.ts';
import { compareValues } from './compare-values.ts';
import { difference, hasPath } from './field-set.ts';
import type { FieldSet } from './field-set.ts';
import type { FieldScope } from './field-scope.ts';
import { TypedValueError } from './item-element.ts';
import { asMap } from './merge-type.ts';
import { toFieldSet } from './to-field-set.ts';
import type { Conflict } from './update-managers.ts';
import { checkTyped } from './validate-typed.ts';

const annotation = 'kubectl.kubernetes.io/last-applied-configuration';
const mostAnnotationBytes = 256 * 1024;

/** Only kubectl is taken to mean its own annotation; another name of the manager opts out. */
export const upgradingManager = 'kubectl';

/** The conflicts that are more than a change of how kubectl applies. `undefined`: there is nothing to upgrade from. */
export function conflictsBeyondLastApplied(
  scope: FieldScope,
  live: unknown,
  conflicts: readonly Conflict[],
): readonly Conflict[] | undefined {
  const allowed = lastAppliedFields(scope, live);
  return allowed && conflicts.filter(({ path }) => !hasPath(allowed, path));
}

function lastAppliedFields(scope: FieldScope, live: unknown): FieldSet | undefined {
  const text = asMap(asMap(asMap(live)?.['metadata'])?.['annotations'])?.[annotation];
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const applied = asMap(JSON.parse(text));
    if (applied?.['apiVersion'] !== scope.apiVersion) return undefined;
    checkTyped(live, scope.type, false);
    checkTyped(applied, scope.type, false);
    const { modified, added, removed } = compareValues(applied, live, scope.type);
    return [modified, added, removed].reduce(difference, toFieldSet(applied, scope.type));
  } catch (error) {
    if (error instanceof TypedValueError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Keeps the annotation true for an object that has one, for an older kubectl may come back. */
export function updateLastApplied(object: Draft, config: Draft): void {
  const annotations = asMap(asMap(object['metadata'])?.['annotations']) as Record<string, string> | undefined;
  if (annotations === undefined || !annotations[annotation]) return;
  const metadata = asMap(config['metadata']) ?? {};
  const { [annotation]: _own, ...others } = asMap(metadata['annotations']) ?? {};
  const kept = 'annotations' in metadata ? { ...metadata, annotations: others } : metadata;
  annotations[annotation] = `${goJson({ ...config, metadata: kept })}\n`;
  const bytes = Object.entries(annotations).flat().join('');
  if (Buffer.byteLength(bytes) > mostAnnotationBytes) delete annotations[annotation];
}
