import { eventually, uniqueName } from './scratch.ts';
import type { Answer, Call, Loose, WireClient } from './wire-client.ts';

const rbac = '/apis/rbac.authorization.k8s.io/v1';

export type Account = {
  readonly name: string;
  readonly namespace: string;
  readonly username: string;
  readonly token: string;
  /** A call as this account. */
  readonly send: (call: Call) => Promise<Answer>;
  /** Whether the server lets it do that, by its own word. */
  readonly may: (attributes: Loose) => Promise<Loose>;
  /** Gives rights in the whole cluster, and waits until the server knows of them. */
  readonly grant: (rules: readonly Loose[]) => Promise<void>;
};

/** A new ServiceAccount with a token of its own, and no rights but those of everybody. */
export async function createAccount(api: WireClient, namespace: string, spec: Loose = {}): Promise<Account> {
  const name = uniqueName('account');
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await api.post(accounts, { metadata: { name } });
  const { body } = await api.post(`${accounts}/${name}/token`, { spec });
  const { token } = body.status as { readonly token: string };
  const send = (call: Call): Promise<Answer> =>
    api.send({ ...call, headers: { authorization: `Bearer ${token}`, ...call.headers } });
  const may = async (attributes: Loose): Promise<Loose> => {
    const path = '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews';
    return (await send({ method: 'POST', path, body: { spec: attributes } })).body.status;
  };
  const grant = async (rules: readonly Loose[]): Promise<void> => {
    const role = uniqueName('role');
    const before = await rulesOf(send, namespace);
    await api.post(`${rbac}/clusterroles`, { metadata: { name: role }, rules });
    const subjects = [{ kind: 'ServiceAccount', name, namespace }];
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role };
    await api.post(`${rbac}/clusterrolebindings`, { metadata: { name: role }, roleRef, subjects });
    // The real server reads roles from a cache that follows the writes.
    await eventually(
      () => rulesOf(send, namespace),
      (count) => count === before + rules.length,
    );
  };
  return { name, namespace, username: `system:serviceaccount:${namespace}:${name}`, token, send, may, grant };
}

async function rulesOf(send: Account['send'], namespace: string): Promise<number> {
  const path = '/apis/authorization.k8s.io/v1/selfsubjectrulesreviews';
  const { body } = await send({ method: 'POST', path, body: { spec: { namespace } } });
  return body.status.resourceRules.length + body.status.nonResourceRules.length;
}
