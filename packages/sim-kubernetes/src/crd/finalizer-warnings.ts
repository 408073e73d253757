import type { JsonObject } from '../registry/json.ts';
import { goQuote } from '../schema/go-format.ts';
import { checkQualifiedName } from '../registry/name-checks.ts';

const standard: ReadonlySet<string> = new Set(['orphan', 'foregroundDeletion', 'kubernetes']);

/** Finalizers without a domain are taken, but not without a word. */
export function finalizerWarnings(object: JsonObject, old: JsonObject | undefined): readonly string[] {
  const before = new Set(finalizersOf(old));
  return finalizersOf(object)
    .filter((name) => !before.has(name))
    .toSorted()
    .flatMap((name) => {
      const subject = `metadata.finalizers: ${goQuote(name)}`;
      const problems = checkQualifiedName(name).map((problem) => `${subject}: ${problem}`);
      if (name.includes('/') || standard.has(name)) return problems;
      const what = name.includes('.') ? ' including a path (/)' : '';
      const advice = `prefer a domain-qualified finalizer name${what} to avoid accidental conflicts with other finalizer writers`;
      return [...problems, `${subject}: ${advice}`];
    });
}

function finalizersOf(object: JsonObject | undefined): readonly string[] {
  const metadata = object?.['metadata'] as { readonly finalizers?: readonly string[] } | undefined;
  return metadata?.finalizers ?? [];
}
