import { readFile } from 'node:fs/promises';
import { systemClock } from '@tributary/runtime/clock';
import { builtinActors } from './actors/builtin-actors.ts';
import { builtinAdmission } from './admission/builtin-admission.ts';
import { assembleServer } from './assemble-server.ts';
import type { AssembledServer } from './assemble-server.ts';
import type { ClusterOptions } from './cluster-options.ts';
import { createCrdController } from './crd/create-crd-controller.ts';
import { createCrdKind } from './crd/crd-kind.ts';
import { tokensOf } from './http/authenticate.ts';
import { serviceAccountTokens } from './http/service-account-tokens.ts';
import { builtinKinds } from './kinds/builtin-kinds.ts';
import { builtinSubresources } from './kinds/subresources/builtin-subresources.ts';
import { createTokenIssuer } from './kinds/subresources/token-issuer.ts';
import { createOpenApiRoutes } from './openapi/create-openapi-routes.ts';
import { decodeEnvelope } from './protobuf/decode-envelope.ts';
import type { StoreSnapshot } from './storage/store.ts';

export const adminToken = 'tributary-admin';
const issuerUrl = 'https://kubernetes.default.svc';

/** The server with everything that makes it a cluster: kinds, subresources, admission, controllers. */
export async function assembleCluster(options: ClusterOptions, rootCa: string): Promise<AssembledServer> {
  const { clock = systemClock, random = Math.random, converters = {}, onInternalError = () => undefined } = options;
  const snapshot = options.snapshotPath === undefined ? undefined : await readSnapshot(options.snapshotPath);
  const issuer = createTokenIssuer(issuerUrl, random);
  const crdKind = createCrdKind({ hasConverter: (name) => Object.hasOwn(converters, name) });
  const known = tokensOf(options.tokens, adminToken);
  return assembleServer({
    clock,
    random,
    kinds: [...builtinKinds().filter(({ kind }) => kind !== crdKind.kind), crdKind, ...(options.kinds ?? [])],
    subresources: builtinSubresources({ clock, issuer }),
    admission: [...builtinAdmission(), ...(options.admission ?? [])],
    actors: [
      createCrdController({ converters, onError: onInternalError }),
      ...builtinActors({ controllers: options.controllers, rootCa: () => rootCa, onError: onInternalError }),
      ...(options.actors ?? []),
    ],
    routes: [createOpenApiRoutes],
    decodeProtobuf: decodeEnvelope,
    tokenOwner: (hooks) => {
      const ofAccounts = serviceAccountTokens(issuer, hooks, clock.now);
      return (token) => known(token) ?? ofAccounts(token);
    },
    snapshot,
    historyLimit: options.historyLimit,
    freeze: options.freeze,
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
