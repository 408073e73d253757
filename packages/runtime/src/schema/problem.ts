import type { z } from 'zod';

/** One thing that is wrong with an object, and where: `spec.rules[0].host`. */
export type Problem = { readonly field: string; readonly message: string };

export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'Invalid'; readonly message: string; readonly problems: readonly Problem[] };

export function invalid(problems: readonly Problem[]): Extract<Checked<never>, { ok: false }> {
  const message = problems.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  return { ok: false, reason: 'Invalid', message, problems };
}

export function toProblems(issues: readonly z.core.$ZodIssue[], root: string): readonly Problem[] {
  return issues.map((issue) => {
    // The server blames the map for a bad key, not the entry.
    const path = issue.code === 'invalid_key' ? issue.path.slice(0, -1) : issue.path;
    return { field: toField(root, path), message: issue.message };
  });
}

function toField(root: string, path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return `${root}${steps.join('')}`.replace(/^\./, '');
}
