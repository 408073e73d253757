import type { Environment } from '@marcbachmann/cel-js';

// What the library hands to a macro, as far as it is used here.
type Node = { readonly op: string; readonly args: unknown };
type Scope = {
  readonly forkWithVariable: (name: string, type: unknown) => Scope;
  readonly reuse: (parent: Scope) => Scope;
  readonly setIterValue: (value: unknown, evaluator: Evaluator) => Scope;
};
type Checker = { readonly check: (node: Node, scope: Scope) => unknown; readonly getType: (name: string) => unknown };
type Evaluator = { readonly run: (node: Node, scope: Scope) => unknown };
type Expansion = { readonly args: readonly Node[]; readonly receiver: Node };
type Macro = {
  readonly receiver: Node;
  readonly names: readonly [string, string];
  readonly bodies: readonly Node[];
  scopes?: { readonly outer: Scope; readonly inner: Scope };
};

type Step = (run: (body: number) => unknown, key: unknown) => void;
type Fold = { readonly step: Step; readonly result: () => unknown };

/** cel-go's comprehensions with two variables: index and item of a list, key and value of a map. */
export function registerTwoVariableMacros(environment: Environment): void {
  const names: Readonly<Record<string, () => Fold>> = { all, exists, existsOne: one, exists_one: one };
  for (const [name, fold] of Object.entries(names)) {
    for (const receiver of ['list', 'map']) {
      environment.registerFunction(`${receiver}.${name}(ast, ast, ast): bool`, (call: Expansion) =>
        expand(call, 'bool', fold),
      );
    }
  }
  const transforms: Readonly<Record<string, (filtered: boolean) => Fold>> = { transformList, transformMap };
  for (const [name, fold] of Object.entries(transforms)) {
    const type = name === 'transformList' ? 'list<dyn>' : 'map<dyn, dyn>';
    for (const receiver of ['list', 'map']) {
      environment
        .registerFunction(`${receiver}.${name}(ast, ast, ast): ${type}`, (call: Expansion) =>
          expand(call, type, () => fold(false)),
        )
        .registerFunction(`${receiver}.${name}(ast, ast, ast, ast): ${type}`, (call: Expansion) =>
          expand(call, type, () => fold(true)),
        );
    }
  }
}

function expand({ args, receiver }: Expansion, type: string, fold: () => Fold): unknown {
  const macro: Macro = { receiver, names: [identifier(args[0]), identifier(args[1])], bodies: args.slice(2) };
  return {
    ...macro,
    typeCheck: (checker: Checker, own: Macro, scope: Scope) => {
      checker.check(own.receiver, scope);
      const outer = scope.forkWithVariable(own.names[0], checker.getType('dyn'));
      const inner = outer.forkWithVariable(own.names[1], checker.getType('dyn'));
      own.scopes = { outer, inner };
      for (const body of own.bodies) checker.check(body, inner);
      return checker.getType(type);
    },
    evaluate: (evaluator: Evaluator, own: Macro, scope: Scope) => evaluate(evaluator, own, scope, fold()),
  };
}

function evaluate(evaluator: Evaluator, macro: Macro, scope: Scope, fold: Fold): unknown {
  const { outer, inner } = macro.scopes ?? {};
  if (!outer || !inner) throw new Error('macro was not checked');
  for (const [key, value] of entries(evaluator.run(macro.receiver, scope))) {
    const bound = inner.reuse(outer.reuse(scope).setIterValue(key, evaluator)).setIterValue(value, evaluator);
    fold.step((body) => evaluator.run(macro.bodies[body] as Node, bound), key);
  }
  return fold.result();
}

function entries(range: unknown): readonly (readonly [unknown, unknown])[] {
  if (Array.isArray(range)) return range.map((item: unknown, index) => [BigInt(index), item]);
  return Object.entries(range as object);
}

function identifier(node: Node | undefined): string {
  if (node?.op !== 'id') throw new Error('argument is not an identifier');
  return node.args as string;
}

function all(): Fold {
  let held = true;
  return { step: (run) => (held = held && run(0) === true), result: () => held };
}

function exists(): Fold {
  let found = false;
  return { step: (run) => (found = found || run(0) === true), result: () => found };
}

function one(): Fold {
  let count = 0;
  return { step: (run) => (count += run(0) === true ? 1 : 0), result: () => count === 1 };
}

function transformList(filtered: boolean): Fold {
  const list: unknown[] = [];
  const step: Step = (run) => {
    if (!filtered || run(0) === true) list.push(run(filtered ? 1 : 0));
  };
  return { step, result: () => list };
}

function transformMap(filtered: boolean): Fold {
  const map = new Map<unknown, unknown>();
  const step: Step = (run, key) => {
    if (!filtered || run(0) === true) map.set(key, run(filtered ? 1 : 0));
  };
  return { step, result: () => map };
}
