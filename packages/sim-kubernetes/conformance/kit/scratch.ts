import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Loose, WireClient } from './wire-client.ts';

// Tests share one server, so each works under names of its own.

export function uniqueName(prefix: string): string {
  return `${prefix}-${randomBytes(4).toString('hex')}`;
}

/** Asks until the answer satisfies: for what the server or its controllers do in their own time. */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfied: (value: T) => boolean,
  limitMs = 15_000,
): Promise<T> {
  const deadline = Date.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (satisfied(value)) return value;
    if (Date.now() > deadline) throw new Error(`still not so after ${limitMs} ms: ${brief(value)}`);
    await pause(25);
  }
}

function brief(value: unknown): string {
  const text =
    value !== null && typeof value === 'object' && 'text' in value ? String(value.text) : JSON.stringify(value);
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** A namespace that is ready for pods: its default ServiceAccount is there. */
export async function createNamespace(api: WireClient, prefix = 'conf'): Promise<string> {
  const name = uniqueName(prefix);
  const created = await api.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  if (created.status !== 201) throw new Error(`namespace: ${created.text}`);
  await eventually(
    () => api.get(`/api/v1/namespaces/${name}/serviceaccounts/default`),
    (answer) => answer.status === 200,
  );
  return name;
}

export type CrdOptions = {
  readonly prefix?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  /** Properties of spec; absent: anything goes below spec. */
  readonly spec?: Loose;
  readonly schema?: Loose;
  readonly subresources?: Loose;
  readonly version?: Loose;
  readonly versions?: readonly Loose[];
  readonly names?: Loose;
  readonly extra?: Loose;
};

export type ScratchCrd = {
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  readonly apiVersion: string;
  readonly name: string;
  readonly crdPath: string;
  /** The collection in a namespace, or of the whole cluster, in v1. */
  readonly at: (namespace?: string, version?: string) => string;
  readonly object: (name: string, more?: Loose) => Loose;
};

export function crdManifest(group: string, options: CrdOptions = {}): Loose {
  const schema = options.schema ?? {
    type: 'object',
    properties: {
      spec: options.spec ?? { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
    },
  };
  const v1 = {
    name: 'v1',
    served: true,
    storage: true,
    schema: { openAPIV3Schema: schema },
    ...(options.subresources && { subresources: options.subresources }),
    ...options.version,
  };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `rivers.${group}` },
    spec: {
      group,
      scope: options.scope ?? 'Namespaced',
      names: { plural: 'rivers', singular: 'river', kind: 'River', listKind: 'RiverList', ...options.names },
      versions: options.versions ?? [v1],
      ...options.extra,
    },
  };
}

export const crdsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

export function describeCrd(group: string): ScratchCrd {
  return {
    group,
    kind: 'River',
    plural: 'rivers',
    apiVersion: `${group}/v1`,
    name: `rivers.${group}`,
    crdPath: `${crdsPath}/rivers.${group}`,
    at: (namespace, version = 'v1') =>
      namespace ? `/apis/${group}/${version}/namespaces/${namespace}/rivers` : `/apis/${group}/${version}/rivers`,
    object: (name, more = {}) => ({
      apiVersion: `${group}/v1`,
      kind: 'River',
      ...more,
      metadata: { name, ...more.metadata },
    }),
  };
}

/** Creates a CRD in a group of its own and waits until its objects are served. */
export async function createCrd(api: WireClient, options: CrdOptions = {}): Promise<ScratchCrd> {
  const crd = describeCrd(`${uniqueName(options.prefix ?? 'conf')}.example.com`);
  const created = await api.post(crdsPath, crdManifest(crd.group, options));
  if (created.status !== 201) throw new Error(`CRD: ${created.text}`);
  await served(api, crd, options);
  return crd;
}

export async function served(api: WireClient, crd: ScratchCrd, options: CrdOptions = {}): Promise<Answer> {
  const version = options.versions?.find((each) => each.served)?.name ?? 'v1';
  await eventually(
    () => api.get(crd.crdPath),
    (answer) =>
      answer.body.status?.conditions?.some((each: Loose) => each.type === 'Established' && each.status === 'True') ??
      false,
  );
  return eventually(
    () => api.get(crd.at(undefined, version)),
    (answer) => answer.status === 200,
  );
}
