import type { BuiltinKind } from '../builtin-kind.ts';
import { age } from '../cells/cell-text.ts';
import { text } from '../draft-fields.ts';
import { checkRequiredLabel, checkSame } from '../validation/field-checks.ts';

export const runtimeClass: BuiltinKind = {
  group: 'node.k8s.io',
  version: 'v1',
  kind: 'RuntimeClass',
  cells: (object, nowMs) => [object.metadata.name, text(object, 'handler'), age(object, nowMs)],
  strategy: {
    noGeneration: true,
    validate: (object) => checkRequiredLabel(text(object, 'handler'), 'handler'),
    validateUpdate: (next, old) => checkSame(next['handler'], old['handler'], 'handler'),
  },
};
