import type { Informer, Result } from '@tributary/runtime';
import { serviceKind } from '../contract/cluster-kinds.ts';
import type { Service } from '../contract/cluster-kinds.ts';
import { intranetServices } from '../contract/keys.ts';
import type { Container, Pod } from '../contract/pod.ts';
import { needsClusterDns, toRedirection } from '../down/redirection.ts';
import type { IntranetServices, Redirection, RedirectionMode } from '../down/redirection.ts';
import { toApiVariables, toServiceVariables } from '../down/service-variables.ts';
import type { ServiceVariables } from '../down/service-variables.ts';
import type { Sides } from '../sides.ts';

/** What a pod in P is told about V: where its API server and DNS are, and its Services. */
export type Surroundings = { readonly redirection: Redirection; readonly services?: ServiceVariables };

export type SurroundingsOptions = { readonly redirection: RedirectionMode; readonly serviceVariables: boolean };

/** Looks at V's Services as they are at this moment. */
export function createSurroundings(
  options: SurroundingsOptions,
  sides: Pick<Sides, 'virtual' | 'informers' | 'binding' | 'physicalName'>,
): (pod: Pod) => Result<Surroundings> {
  const found = openServices(sides.virtual, options.serviceVariables);
  return (pod) => {
    const redirected = toRedirection(options.redirection, found.intranet(), { needsDns: needsClusterDns(pod.spec) });
    if (!redirected.ok || !options.serviceVariables) return redirected.ok ? valueOf(redirected.value) : redirected;
    const { api } = redirected.value;
    // A pod may do without: then its namespace may hold more Services than an environment can.
    const services = pod.spec['enableServiceLinks'] === false ? [] : found.of(pod.metadata.namespace ?? '');
    const variables = [...toServiceVariables(services), ...(api ? toApiVariables(api) : [])];
    return valueOf(redirected.value, { variables, setByEnvFrom: (container) => keysOf(sides, pod, container) });
  };
}

function valueOf(redirection: Redirection, services?: ServiceVariables): Result<Surroundings> {
  return { ok: true, value: { redirection, ...(services && { services }) } };
}

type Services = {
  readonly intranet: () => IntranetServices;
  readonly of: (namespace: string) => readonly Service[];
};

const byNamespace = 'namespace';

/** All of V's where pods are told about them, otherwise the two that lead there. */
function openServices({ cache }: Sides['virtual'], all: boolean): Services {
  const { api, dns } = intranetServices;
  if (all) {
    const informer = cache.informer(serviceKind);
    informer.addIndex(byNamespace, ({ metadata }) => [metadata.namespace ?? '']);
    return {
      intranet: () => ({ api: informer.get(api), dns: informer.get(dns) }),
      of: (namespace) => informer.byIndex(byNamespace, namespace),
    };
  }
  const one = ({ namespace, name }: { namespace: string; name: string }): Informer<Service> =>
    cache.informer(serviceKind, { namespace, fieldSelector: `metadata.name=${name}` });
  const [apis, names] = [one(api), one(dns)];
  return { intranet: () => ({ api: apis.get(api), dns: names.get(dns) }), of: () => [] };
}

/** What a kubelet would set from whole ConfigMaps and Secrets comes before what it sets for Services. Their copies are in P by now. */
function keysOf(
  { informers, binding, physicalName }: Pick<Sides, 'informers' | 'binding' | 'physicalName'>,
  pod: Pod,
  container: Container,
): readonly string[] {
  const { configMaps, secrets } = informers.physical;
  const placeOf = (name: string): { namespace: string; name: string } => ({
    namespace: binding().mountNamespace,
    name: physicalName({ namespace: pod.metadata.namespace ?? '', name }),
  });
  return (container.envFrom ?? []).flatMap(({ prefix, configMapRef, secretRef }) => {
    const data = configMapRef?.name
      ? configMaps.get(placeOf(configMapRef.name))?.data
      : secretRef?.name
        ? secrets.get(placeOf(secretRef.name))?.data
        : undefined;
    return Object.keys(data ?? {}).map((key) => `${typeof prefix === 'string' ? prefix : ''}${key}`);
  });
}
