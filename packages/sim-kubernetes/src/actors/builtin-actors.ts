import { createAggregationController } from '../auth/rbac/aggregation-controller.ts';
import { createTokenController } from '../auth/token-controller.ts';
import type { TokenIssuer } from '../auth/token-issuer.ts';
import type { Actor } from '../registry/actor.ts';
import { createGarbageCollector } from './garbage-collector.ts';
import { createNamespaceController } from './namespace-controller.ts';
import { createServiceAccountController } from './service-account-controller.ts';
import { createVolumeBinder } from './volume-binder.ts';

/** The parts of kube-controller-manager that run by default; each can be left to the real one. */
export type BuiltinController =
  | 'clusterrole-aggregation-controller'
  | 'garbage-collector'
  | 'namespace-controller'
  | 'service-account-controller'
  | 'serviceaccount-token-controller'
  | 'volume-binder';

export type BuiltinActorsOptions = {
  /** Which ones run; absent: all. */
  readonly controllers?: readonly BuiltinController[] | undefined;
  /** The certificate of the authority behind the server's own, as PEM. */
  readonly rootCa: () => string;
  /** Signs tokens of ServiceAccounts. */
  readonly issuer: TokenIssuer;
  readonly onError?: (error: unknown) => void;
};

export function builtinActors({ controllers, rootCa, issuer, onError }: BuiltinActorsOptions): readonly Actor[] {
  const all: readonly Actor[] = [
    createAggregationController(onError),
    createGarbageCollector(onError),
    createNamespaceController(onError),
    createServiceAccountController({ rootCa, ...(onError === undefined ? {} : { onError }) }),
    createTokenController({ issuer, rootCa, ...(onError === undefined ? {} : { onError }) }),
    createVolumeBinder(onError),
  ];
  const wanted = new Set<string>(controllers ?? all.map((actor) => actor.name));
  return all.filter((actor) => wanted.has(actor.name));
}
