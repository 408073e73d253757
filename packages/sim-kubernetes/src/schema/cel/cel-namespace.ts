import type { Environment } from '@marcbachmann/cel-js';

/** The word in front of a function such as `sets.contains`: to the library it is a constant of a type of its own. */
export function registerNamespace(environment: Environment, word: string, type: string): Environment {
  // Each word needs a class of its own: the library tells types apart by constructor.
  const Namespace = class {
    readonly word = word;
  };
  return environment.registerType(type, Namespace).registerConstant(word, type, new Namespace());
}
