import type { Environment } from '@marcbachmann/cel-js';

// What the library hands to a macro, as far as it is used here.
type Node = { readonly op: string; readonly args: readonly [Node, string] };
type Scope = object;
type FieldType = { readonly fieldLazy: (value: unknown, name: string, node: Node, evaluator: Evaluator) => unknown };
type Evaluator = {
  readonly run: (node: Node, scope: Scope) => unknown;
  readonly debugType: (value: unknown) => FieldType;
};
type Checker = {
  readonly check: (node: Node, scope: Scope) => unknown;
  readonly getType: (name: string) => unknown;
  readonly createError: (code: string, message: string, node: Node) => Error;
};
type Macro = { readonly args: readonly [Node] };

/** `has(a[0].b)`: the library's own knows names with dots only, CEL any expression before the last dot. */
export function registerHas(environment: Environment): void {
  environment.registerFunction('HaS(ast): bool', ({ args }: Macro) => ({ args, typeCheck, evaluate, async: false }));
}

function typeCheck(checker: Checker, { args: [node] }: Macro, scope: Scope): unknown {
  if (node.op !== '.') throw checker.createError('invalid_macro_argument', 'has() invalid argument', node);
  checker.check(node.args[0], scope);
  return checker.getType('bool');
}

function evaluate(evaluator: Evaluator, { args: [node] }: Macro, scope: Scope): boolean {
  const holder = evaluator.run(node.args[0], scope);
  return evaluator.debugType(holder).fieldLazy(holder, node.args[1], node, evaluator) !== undefined;
}
