import type { Actor } from '../registry/actor.ts';
import { createGarbageCollector } from './garbage-collector.ts';
import { createNamespaceController } from './namespace-controller.ts';
import { createServiceAccountController } from './service-account-controller.ts';
import { createVolumeBinder } from './volume-binder.ts';

/** The parts of kube-controller-manager that run by default; each can be left to the real one. */
export type BuiltinController =
  | 'garbage-collector'
  | 'namespace-controller'
  | 'service-account-controller'
  | 'volume-binder';

export type BuiltinActorsOptions = {
  /** Which ones run; absent: all. */
  readonly controllers?: readonly BuiltinController[] | undefined;
  /** The certificate of the authority behind the server's own, as PEM. */
  readonly rootCa: () => string;
  readonly onError?: (error: unknown) => void;
};

export function builtinActors({ controllers, rootCa, onError }: BuiltinActorsOptions): readonly Actor[] {
  const all: readonly Actor[] = [
    createGarbageCollector(onError),
    createNamespaceController(onError),
    createServiceAccountController({ rootCa, ...(onError === undefined ? {} : { onError }) }),
    createVolumeBinder(onError),
  ];
  const wanted = new Set<string>(controllers ?? all.map((actor) => actor.name));
  return all.filter((actor) => wanted.has(actor.name));
}
