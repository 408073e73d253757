import { readFile } from 'node:fs/promises';
import { systemClock } from '@tributary/runtime/clock';
import { createApiServiceController } from './actors/api-services.ts';
import { builtinActors } from './actors/builtin-actors.ts';
import { createServiceAddresses } from './actors/service-addresses.ts';
import { builtinAdmission } from './admission/builtin-admission.ts';
import { policyKinds } from './admission/policies/policy-kinds.ts';
import { createValidatingPolicies } from './admission/policies/validating-policies.ts';
import { webhookAdmission, webhookClientOf } from './admission/webhooks/webhook-admission.ts';
import { webhookKinds } from './admission/webhooks/webhook-kinds.ts';
import { assembleServer } from './assemble-server.ts';
import type { AssembledServer } from './assemble-server.ts';
import { admin } from './auth/authenticate.ts';
import { createAccess } from './auth/create-access.ts';
import type { Users } from './auth/create-users.ts';
import { createIssuerRoutes } from './auth/issuer-routes.ts';
import { createTokenIssuer } from './auth/token-issuer.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { createCrdController } from './crd/create-crd-controller.ts';
import { createCrdKind } from './crd/crd-kind.ts';
import { builtinKinds } from './kinds/builtin-kinds.ts';
import { builtinSubresources } from './kinds/subresources/builtin-subresources.ts';
import { createOpenApiRoutes } from './openapi/create-openapi-routes.ts';
import { decodeEnvelope } from './protobuf/decode-envelope.ts';
import type { UserInfo } from './registry/admission.ts';
import type { StoreSnapshot } from './storage/store.ts';

export const adminToken = 'tributary-admin';
const issuerUrl = 'https://kubernetes.default.svc';

/** The server with everything that makes it a cluster: kinds, subresources, admission, controllers. */
export async function assembleCluster(options: ClusterOptions, rootCa: string, users: Users): Promise<AssembledServer> {
  const { clock = systemClock, random = Math.random, converters = {}, onInternalError = () => undefined } = options;
  const snapshot = options.snapshot ?? (options.snapshotPath && (await readSnapshot(options.snapshotPath)));
  const issuer = createTokenIssuer(issuerUrl, random);
  const crdKind = createCrdKind();
  const given = options.tokens ?? new Map([[adminToken, admin]]);
  const tokenOwner = (token: string): UserInfo | undefined => given.get(token) ?? users.ownerOf(token);
  return assembleServer({
    clock,
    random,
    kinds: [
      ...builtinKinds().filter(({ kind }) => kind !== crdKind.kind),
      ...policyKinds(),
      ...webhookKinds(),
      crdKind,
      ...(options.kinds ?? []),
    ],
    subresources: builtinSubresources({ clock, issuer }),
    admission: builtinAdmission(),
    lateAdmission: (server) => [
      createValidatingPolicies(server),
      ...webhookAdmission(server, options),
      ...(options.admission ?? []),
    ],
    actors: [
      createCrdController({
        converters,
        webhooks: (context) => webhookClientOf(context, options),
        onError: onInternalError,
      }),
      createApiServiceController(onInternalError),
      createServiceAddresses(onInternalError),
      ...builtinActors({ controllers: options.controllers, rootCa: () => rootCa, issuer, onError: onInternalError }),
      ...(options.actors ?? []),
    ],
    routes: [createOpenApiRoutes, (_registry, address) => createIssuerRoutes(issuer, address)],
    decodeProtobuf: decodeEnvelope,
    access: (hooks) => {
      const { authorization = 'rbac' } = options;
      return createAccess({ authorization, tokenOwner, issuer, nowMs: clock.now }, hooks);
    },
    snapshot: snapshot || undefined,
    historyLimit: options.historyLimit,
    freeze: options.freeze,
    onAudit: options.onAudit,
    onInternalError,
  });
}

async function readSnapshot(path: string): Promise<StoreSnapshot | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as StoreSnapshot;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
