import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { wireFolder } from '../../kinds/wire-folder.ts';
import type { JsonObject, StoredObject } from '../../registry/json.ts';
import type { Store } from '../../storage/store.ts';
import { aggregatedRules } from './aggregate-rules.ts';
import { rbacGroup } from './rule-resolver.ts';

type Policy = JsonObject & {
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly uid: string };
};
type PolicySet = Readonly<Record<string, readonly Policy[]>>;

const kinds: Readonly<Record<string, string>> = {
  clusterroles: 'ClusterRole',
  clusterrolebindings: 'ClusterRoleBinding',
  roles: 'Role',
  rolebindings: 'RoleBinding',
};

let bare: PolicySet | undefined;
let gathered: PolicySet | undefined;

/**
 * The roles and bindings that every cluster is born with. They are the same everywhere, so they go to the store as they
 * are, and their ids come from their names: a start costs little, and takes nothing from the injected chance.
 * `aggregate`: as if the controller that gathers rules had run already.
 */
export function seedPolicy(store: Store, creationTimestamp: string, options: { readonly aggregate: boolean }): void {
  bare ??= readPolicy();
  const policy = options.aggregate ? (gathered ??= gather(bare)) : bare;
  for (const [plural, objects] of Object.entries(policy)) {
    const resource = { group: rbacGroup, plural };
    for (const object of objects) {
      // What a snapshot brought along already is left as it is: the store refuses a second one of the name.
      store.create(resource, { ...object, metadata: { ...object.metadata, creationTimestamp } });
    }
  }
}

/** Roles gather from roles that gather, so those that others wait for come first. */
function gather(policy: PolicySet): PolicySet {
  let roles = policy['clusterroles'] ?? [];
  for (;;) {
    const next = roles.map((role) => {
      const rules = aggregatedRules(role as unknown as StoredObject, roles as unknown as readonly StoredObject[]);
      return rules === undefined ? role : { ...role, rules: rules as readonly JsonObject[] };
    });
    if (JSON.stringify(next) === JSON.stringify(roles)) return { ...policy, clusterroles: roles };
    roles = next;
  }
}

function readPolicy(): PolicySet {
  const file = new URL('bootstrap-policy.json', wireFolder);
  const read = JSON.parse(readFileSync(file, 'utf8')) as PolicySet;
  const entries = Object.entries(kinds).map(([plural, kind]) => {
    const complete = ({ metadata, ...rest }: Policy): Policy => ({
      kind,
      apiVersion: `${rbacGroup}/v1`,
      metadata: { ...metadata, uid: uidOf(`${kind}/${metadata.namespace ?? ''}/${metadata.name}`) },
      ...rest,
    });
    return [plural, (read[plural] ?? []).map(complete)] as const;
  });
  return Object.fromEntries(entries);
}

function uidOf(key: string): string {
  const hex = createHash('sha256').update(key).digest('hex');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`];
  return [...parts, hex.slice(20, 32)].join('-');
}
