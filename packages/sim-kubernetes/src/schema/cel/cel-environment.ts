import { Environment } from '@marcbachmann/cel-js';
import { registerHas } from './has-macro.ts';
import { registerFormats } from './register-formats.ts';
import { registerLists } from './register-lists.ts';
import { registerNetworks } from './register-networks.ts';
import { registerQuantities } from './register-quantities.ts';
import { registerSemver } from './register-semver.ts';
import { registerStrings } from './register-strings.ts';
import { registerTwoVariableMacros } from './two-variable-macros.ts';

let base: Environment | undefined;

/** CEL with everything that the API server adds to it. A fresh copy, to which variables may be declared. */
export function createCelEnvironment(): Environment {
  base ??= createBase();
  return base.clone();
}

function createBase(): Environment {
  const environment = new Environment({ enableOptionalTypes: true, homogeneousAggregateLiterals: false });
  registerStrings(environment);
  registerLists(environment);
  registerQuantities(environment);
  registerNetworks(environment);
  registerSemver(environment);
  registerFormats(environment);
  registerTwoVariableMacros(environment);
  registerHas(environment);
  registerEquality(environment);
  return environment;
}

/** The types that Kubernetes adds compare by what they mean, however they were written. */
function registerEquality(environment: Environment): void {
  for (const type of ['kubernetes.Quantity', 'kubernetes.Semver', 'net.IP', 'net.CIDR']) {
    environment.registerOperator(`${type} == ${type}`, (a: object, b: object) => a.valueOf() === b.valueOf());
  }
}
