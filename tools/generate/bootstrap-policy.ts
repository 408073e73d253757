import type { ReadJson } from './builtin-resources.ts';

type Policy = {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly rules?: unknown;
  readonly aggregationRule?: unknown;
  readonly subjects?: unknown;
  readonly roleRef?: unknown;
};

const resources = ['clusterroles', 'clusterrolebindings', 'roles', 'rolebindings'];

/** The roles and bindings that kube-apiserver makes at its start, without what differs from server to server. */
export async function readBootstrapPolicy(readJson: ReadJson): Promise<Readonly<Record<string, readonly Policy[]>>> {
  const found: Record<string, readonly Policy[]> = {};
  for (const resource of resources) {
    const selector = 'labelSelector=kubernetes.io/bootstrapping%3Drbac-defaults';
    const path = `/apis/rbac.authorization.k8s.io/v1/${resource}?${selector}`;
    const { items } = (await readJson(path)) as { readonly items: readonly Policy[] };
    found[resource] = items.map(bare);
  }
  return found;
}

function bare({ metadata: { name, namespace, labels, annotations }, ...rest }: Policy): Policy {
  const metadata = {
    name,
    ...(namespace !== undefined && { namespace }),
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
  };
  // What a controller gathers into an aggregated role is for the controller to gather.
  const rules = rest.aggregationRule === undefined ? rest.rules : null;
  return { metadata, ...rest, ...('rules' in rest && { rules }) };
}
