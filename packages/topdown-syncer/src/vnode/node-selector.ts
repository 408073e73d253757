// core/v1 NodeSelector, as ClusterBindings and policies use it.

type Requirement = {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[] | undefined;
};

export type NodeSelectorTerms = {
  readonly nodeSelectorTerms?:
    | readonly {
        readonly matchExpressions?: readonly Requirement[] | undefined;
        readonly matchFields?: readonly Requirement[] | undefined;
      }[]
    | undefined;
};

export type SelectableNode = {
  readonly metadata: { readonly name?: string; readonly labels?: Readonly<Record<string, string>> };
};

/** Any of the terms, each with all of its requirements. No terms select every node, an empty term none. */
export function selectsNode(selector: NodeSelectorTerms | undefined, node: SelectableNode): boolean {
  const terms = selector?.nodeSelectorTerms ?? [];
  if (terms.length === 0) return true;
  return terms.some(({ matchExpressions = [], matchFields = [] }) => {
    if (matchExpressions.length + matchFields.length === 0) return false;
    return (
      matchExpressions.every((requirement) => meets(node.metadata.labels?.[requirement.key], requirement)) &&
      matchFields.every((requirement) => meetsField(node.metadata.name, requirement))
    );
  });
}

function meets(value: string | undefined, { operator, values = [] }: Requirement): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return compares(value, values, (left, right) => left > right);
    case 'Lt':
      return compares(value, values, (left, right) => left < right);
    default:
      return false;
  }
}

/** The API knows no other field than the name, and exactly one value for it. */
function meetsField(name: string | undefined, { key, operator, values = [] }: Requirement): boolean {
  return key === 'metadata.name' && operator === 'In' && values.length === 1 && values[0] === name;
}

const integer = /^[+-]?\d+$/;

function compares(
  value: string | undefined,
  values: readonly string[],
  holds: (left: bigint, right: bigint) => boolean,
): boolean {
  const [limit] = values;
  if (value === undefined || limit === undefined || values.length !== 1) return false;
  if (!integer.test(value) || !integer.test(limit)) return false;
  return holds(BigInt(value), BigInt(limit));
}
