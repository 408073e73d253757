import { Document } from 'yaml';
import type { ScalarTag } from 'yaml';
import { kubectlTags } from './kubectl-tags.ts';

/**
 * A value as YAML text that kubectl, and readers of YAML 1.1 and 1.2, read back as the same value: strings that
 * any of them would take for something else are quoted. Fields that are `undefined` are left out.
 */
export function toYaml(value: unknown): string {
  const document = new Document(value, {
    version: '1.2',
    schema: 'failsafe',
    customTags: [...kubectlTags().filter((tag) => tag !== 'merge'), quotedMerge],
    compat: 'yaml-1.1',
    aliasDuplicateObjects: false,
  });
  return document.toString({ lineWidth: 0, indentSeq: false });
}

// A field named `<<` must be quoted, or readers would merge its value into the object around it.
const quotedMerge: ScalarTag = {
  tag: 'tag:yaml.org,2002:merge',
  default: true,
  test: /^<<$/u,
  resolve: (text) => text,
};
