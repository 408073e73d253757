import { Document, isScalar, visit } from 'yaml';

/**
 * The same text for the same object, whatever order its keys were written in. Strings that any reader of YAML,
 * old or new, might take for a number or a boolean are quoted.
 */
export function toCrdYaml(crd: object): string {
  const document = new Document(crd, { version: '1.1', sortMapEntries: true, aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_key, node) {
      if (isScalar(node) && typeof node.value === 'string' && /^[-+]?\.?\d/.test(node.value))
        node.type = 'QUOTE_SINGLE';
    },
  });
  // The version is for the quoting; its directive would only be noise.
  document.directives = undefined as never;
  return document.toString({ lineWidth: 0 });
}
