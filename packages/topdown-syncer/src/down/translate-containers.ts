import type { Container, EnvSource, EnvVar, KeyRef, PodSpec } from '../contract/pod.ts';
import { translateFieldRef } from './field-paths.ts';
import type { ApiAddress } from './redirection.ts';
import type { ServiceVariables } from './service-variables.ts';

export type ContainerContext = {
  /** The P name of a ConfigMap or Secret of the pod's namespace. */
  readonly toPhysical: (name: string) => string;
  readonly podName: string;
  readonly api: ApiAddress | undefined;
  readonly services?: ServiceVariables | undefined;
};

export type ContainerLists = Pick<PodSpec, 'containers' | 'initContainers' | 'ephemeralContainers'>;

export function translateContainer(container: Container, context: ContainerContext): Container {
  const env = (container.env ?? []).map((variable) => translateVariable(variable, context));
  return {
    ...container,
    env: [...serviceVariables(container, context), ...withVariables(env, context)],
    ...(container.envFrom && { envFrom: container.envFrom.map((source) => translateSource(source, context)) }),
  };
}

function translateVariable(variable: EnvVar, { toPhysical }: ContainerContext): EnvVar {
  const { valueFrom } = variable;
  if (!valueFrom) return variable;
  const { configMapKeyRef, secretKeyRef, fieldRef } = valueFrom;
  return {
    ...variable,
    valueFrom: {
      ...valueFrom,
      ...(configMapKeyRef && { configMapKeyRef: renamed(configMapKeyRef, toPhysical) }),
      ...(secretKeyRef && { secretKeyRef: renamed(secretKeyRef, toPhysical) }),
      ...(fieldRef && { fieldRef: translateFieldRef(fieldRef) }),
    },
  };
}

function translateSource(source: EnvSource, { toPhysical }: ContainerContext): EnvSource {
  const { configMapRef, secretRef } = source;
  return {
    ...source,
    ...(configMapRef && { configMapRef: renamed(configMapRef, toPhysical) }),
    ...(secretRef && { secretRef: renamed(secretRef, toPhysical) }),
  };
}

export function renamed<T extends KeyRef>(ref: T, toPhysical: (name: string) => string): T {
  return ref.name ? { ...ref, name: toPhysical(ref.name) } : ref;
}

/** First, so that what follows can refer to them, and none that the container is given by somebody else. */
function serviceVariables(container: Container, { services, api }: ContainerContext): readonly EnvVar[] {
  if (!services) return [];
  const redirected = api ? ['KUBERNETES_SERVICE_HOST', 'KUBERNETES_SERVICE_PORT'] : [];
  const set = new Set([
    ...(container.env ?? []).map(({ name }) => name),
    ...services.setByEnvFrom(container),
    ...redirected,
  ]);
  return services.variables.filter(({ name }) => !set.has(name));
}

/** In place where the pod sets them, at the end where it does not. */
function withVariables(env: readonly EnvVar[], { podName, api }: ContainerContext): readonly EnvVar[] {
  const wanted = {
    ...(api && { KUBERNETES_SERVICE_HOST: api.host, KUBERNETES_SERVICE_PORT: String(api.port) }),
    HOSTNAME: podName,
  };
  const kept = env.map((variable) => {
    const value = Object.entries(wanted).find(([name]) => name === variable.name)?.[1];
    return value === undefined ? variable : { name: variable.name, value };
  });
  const missing = Object.entries(wanted).filter(([name]) => !env.some((variable) => variable.name === name));
  return [...kept, ...missing.map(([name, value]) => ({ name, value }))];
}
