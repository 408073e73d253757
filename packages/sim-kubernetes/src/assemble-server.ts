import type { Clock } from '@tributary/runtime/clock';
import { isServedElsewhere } from './actors/api-services.ts';
import type { AuditEvent } from './audit/audit-event.ts';
import { createAudit } from './audit/create-audit.ts';
import type { Authorizer } from './auth/authorizer.ts';
import { openAccess } from './auth/create-access.ts';
import type { Access } from './auth/create-access.ts';
import type { ApiHandler, NonResourceRoute } from './http/api-request.ts';
import { createApiHandler } from './http/create-api-handler.ts';
import { createBodyDecoder } from './http/decode-body.ts';
import type { DecodeProtobuf } from './http/decode-body.ts';
import { createDiscoveryRoutes } from './http/discovery-routes.ts';
import { createServerRoutes } from './http/server-routes.ts';
import { createAnswerShaper } from './http/shape-answer.ts';
import { createRequestMetrics } from './metrics/request-metrics.ts';
import type { RequestMetrics } from './metrics/request-metrics.ts';
import { patchRules } from './patch/patch-rules.ts';
import type { Actor } from './registry/actor.ts';
import type { AdmissionPlugin } from './registry/admission.ts';
import { createRegistry } from './registry/registry.ts';
import type { Registry } from './registry/registry.ts';
import type { HookContext, ResourceType } from './registry/resource-type.ts';
import type { SubresourceHandler } from './registry/subresource.ts';
import { createRestClient } from './rest/create-rest-client.ts';
import { createHookContext } from './rest/hook-context.ts';
import { namespaceLifecycle } from './rest/namespace-lifecycle.ts';
import type { RestClient } from './rest/rest-client.ts';
import { schemaRules } from './schema/schema-rules.ts';
import { createStore } from './storage/memory-store.ts';
import type { Store, StoreSnapshot } from './storage/store.ts';
import { toTable } from './table/to-table.ts';

export type ServerParts = {
  readonly clock: Clock;
  readonly random: () => number;
  readonly kinds: readonly ResourceType[];
  readonly subresources: readonly SubresourceHandler[];
  readonly admission: readonly AdmissionPlugin[];
  /** Plugins that come after those, made from what the server consists of. */
  readonly lateAdmission?: ((server: AdmissionParts) => readonly AdmissionPlugin[]) | undefined;
  readonly actors: readonly Actor[];
  /** Routes beside health, version and discovery, made from the registry. */
  readonly routes: readonly ((registry: Registry, address: () => string) => readonly NonResourceRoute[])[];
  readonly decodeProtobuf?: DecodeProtobuf | undefined;
  /** Who comes in and may do what; absent: everybody is an administrator. */
  readonly access?: ((hooks: HookContext) => Access) | undefined;
  readonly snapshot?: StoreSnapshot | undefined;
  readonly historyLimit?: number | undefined;
  readonly freeze?: boolean | undefined;
  /** Told of every request that is answered. */
  readonly onAudit?: ((event: AuditEvent) => void) | undefined;
  readonly onInternalError: (error: unknown) => void;
};

export type AdmissionParts = {
  readonly registry: Registry;
  readonly hooks: HookContext;
  readonly clock: Clock;
  readonly authorizer: Authorizer;
};

export type AssembledServer = {
  readonly handler: ApiHandler;
  readonly store: Store;
  readonly registry: Registry;
  readonly client: RestClient;
  readonly hooks: HookContext;
  /** Where the server can be reached, once it listens: discovery says so. */
  readonly setAddress: (address: string) => void;
  readonly stop: () => void;
};

/** All parts of the server, wired; nothing listens yet. */
export function assembleServer(parts: ServerParts): AssembledServer {
  const { clock, random } = parts;
  const store = openStore(parts);
  const registry = createRegistry(parts.kinds);
  parts.subresources.forEach(registry.addSubresource);
  const unfollow = followHistory(registry, store);
  const hooks = createHookContext(store, clock, random);
  const access = parts.access?.(hooks) ?? openAccess;
  access.reviews.forEach(registry.addSubresource);
  const late = parts.lateAdmission?.({ registry, hooks, clock, authorizer: access.authorizer }) ?? [];
  // Who may give which rights is judged by what all the others made of the object.
  const admission = [namespaceLifecycle, ...parts.admission, ...late, ...access.admission];
  const rest = { store, registry, clock, random, hooks, schema: schemaRules, admission };
  const client = createRestClient(rest);
  const metrics = createRequestMetrics(registry, store);
  let address = '127.0.0.1:0';
  const handler = createApiHandler({
    rest,
    client,
    patches: patchRules,
    decode: createBodyDecoder(parts.decodeProtobuf),
    shape: createAnswerShaper(toTable, clock.now),
    access,
    metrics,
    routes: routesOf(parts, { registry, store, metrics, address: () => address }),
    audit: parts.onAudit && createAudit(parts.onAudit, clock.now),
    onInternalError: parts.onInternalError,
  });
  const stops = parts.actors.map(({ start, program = 'kube-controller-manager' }) =>
    start({ store, registry, client: createRestClient(rest, program), clock, random, hooks }),
  );
  return {
    handler,
    store,
    registry,
    client,
    hooks,
    setAddress: (at) => void (address = at),
    stop: () => {
      stops.toReversed().forEach((stop) => stop());
      unfollow();
    },
  };
}

type RouteParts = {
  readonly registry: Registry;
  readonly store: Store;
  readonly metrics: RequestMetrics;
  readonly address: () => string;
};

function routesOf({ routes }: ServerParts, { registry, store, metrics, address }: RouteParts): NonResourceRoute[] {
  const isElsewhere = (group: string, version: string): boolean => isServedElsewhere(store, group, version);
  return [
    ...createServerRoutes(registry, metrics),
    ...createDiscoveryRoutes(registry, address, isElsewhere),
    ...routes.flatMap((make) => make(registry, address)),
  ];
}

function openStore({ snapshot, historyLimit, freeze }: ServerParts): Store {
  return createStore({
    ...(snapshot === undefined ? {} : { snapshot }),
    ...(historyLimit === undefined ? {} : { historyLimit }),
    ...(freeze === undefined ? {} : { freeze }),
  });
}

const nameOf = ({ group, plural }: ResourceType): string => `${group}/${plural}`;

/** What comes to be served while the server runs has no past that a watch could start from. */
function followHistory(registry: Registry, store: Store): () => void {
  let known = new Set(registry.all().map(nameOf));
  return registry.onChange(() => {
    const served = registry.all();
    for (const type of served) if (!known.has(nameOf(type))) store.beginHistory(type);
    known = new Set(served.map(nameOf));
  });
}
