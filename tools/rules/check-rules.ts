import { cruise } from 'dependency-cruiser';
import type { ICruiseResult, IForbiddenRuleType } from 'dependency-cruiser';
import { globSync } from 'node:fs';
import { join, relative } from 'node:path';
import config from '../../.dependency-cruiser.mjs';

export type RulesReport = {
  /** One line a violation: rule, from, to. */
  readonly violations: readonly string[];
  readonly scanned: number;
  /** Source files that are there but were not scanned: a checker that reads nothing finds nothing. */
  readonly missed: readonly string[];
};

/** Runs the import rules over the packages and tools below a folder. */
export async function checkRules(folder: string): Promise<RulesReport> {
  const roots = ['packages', 'tools', 'bench', 'examples'].filter((root) => globSync(join(folder, root)).length > 0);
  const { output } = await cruise(roots, {
    ...config.options,
    ruleSet: { forbidden: config.forbidden as IForbiddenRuleType[] },
    validate: true,
    baseDir: folder,
  });
  const { modules, summary } = output as ICruiseResult;
  const scanned = new Set(modules.map(({ source }) => source));
  return {
    violations: summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`),
    scanned: sourceFiles(folder).filter((file) => scanned.has(file)).length,
    missed: sourceFiles(folder).filter((file) => !scanned.has(file)),
  };
}

function sourceFiles(folder: string): readonly string[] {
  const skipped = /(^|\/)(node_modules|fixtures|wire|golden)\//;
  return globSync('{packages,tools,bench,examples}/**/*.ts', { cwd: folder })
    .map((file) => relative(folder, join(folder, file)))
    .filter((file) => !skipped.test(file));
}
