import type { FieldError } from '../../registry/field-error.ts';
import type { Errors } from '../../kinds/validation/field-checks.ts';
import { invalidField, requiredField, unsupportedField } from '../../schema/field-errors.ts';
import type { WebhookRule } from './webhook-configuration.ts';

const operationNames = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const scopeNames = ['*', 'Cluster', 'Namespaced'];

/** What is wrong with a rule that says which requests a webhook is asked about. */
export function ruleErrors(rule: WebhookRule, at: string): Errors {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  return [
    ...listErrors(operations, `${at}.operations`, 'operations'),
    ...operations.flatMap((operation, index) =>
      operationNames.includes(operation)
        ? []
        : [unsupportedField(`${at}.operations[${index}]`, operation, operationNames)],
    ),
    ...listErrors(apiGroups, `${at}.apiGroups`, 'API groups'),
    ...listErrors(apiVersions, `${at}.apiVersions`, 'API versions'),
    ...apiVersions.flatMap((version, index) => (version === '' ? [requiredField(`${at}.apiVersions[${index}]`)] : [])),
    ...resourceErrors(resources, `${at}.resources`),
    ...(scope === undefined || scopeNames.includes(scope) ? [] : [unsupportedField(`${at}.scope`, scope, scopeNames)]),
  ];
}

function listErrors(items: readonly string[], at: string, what: string): Errors {
  if (items.length === 0) return [requiredField(at)];
  if (items.length === 1 || !items.includes('*')) return [];
  return [invalidField(at, items, `if '*' is present, must not specify other ${what}`)];
}

function resourceErrors(resources: readonly string[], at: string): Errors {
  if (resources.length === 0) return [requiredField(at)];
  const errors: FieldError[] = [];
  const withAllBelow = new Set<string>();
  const belowAll = new Set<string>();
  let lastIsPlain = false;
  for (const [index, resource] of resources.entries()) {
    const here = `${at}[${index}]`;
    const [name = '', ...rest] = resource.split('/');
    const below = rest.join('/');
    if (resource === '') errors.push(requiredField(here));
    else if (rest.length === 0) lastIsPlain = resource !== '*';
    else {
      const covering = [
        ...(withAllBelow.has(name) ? [`${name}/*`] : []),
        ...(belowAll.has(below) ? [`*/${below}`] : []),
      ];
      for (const present of covering) {
        errors.push(invalidField(here, resource, `if '${present}' is present, must not specify ${resource}`));
      }
      if (below === '*') withAllBelow.add(name);
      if (name === '*') belowAll.add(below);
    }
  }
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(invalidField(at, resources, "if '*/*' is present, must not specify other resources"));
  }
  if (resources.includes('*') && lastIsPlain) {
    const detail = "if '*' is present, must not specify other resources without subresources";
    errors.push(invalidField(at, resources, detail));
  }
  return errors;
}
