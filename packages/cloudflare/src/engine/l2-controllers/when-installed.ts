import { crdKind, isTrue } from '@tributary/runtime';
import type { AnyObject, Condition, Informer, Kind, KubeObject, ObjectCache, Runnable } from '@tributary/runtime';
import { kindName } from './kind-stores.ts';

/**
 * Runs something as long as the kind is installed. Only then may its cache be opened: one that cannot be filled would keep
 * everything else from starting.
 */
export function whenInstalled(
  kind: Kind<KubeObject>,
  cache: Pick<ObjectCache, 'informer'>,
  create: () => Runnable,
): Runnable {
  const name = kindName(kind);
  const crds = crdOf(kind, cache);
  const isInstalled = (): boolean => isServed(crds.get({ name }), kind.version);
  let made: Runnable | undefined;
  return {
    name,
    runs: 'always',
    run: async (signal) => {
      for (;;) {
        await changed(crds, () => isInstalled() || signal.aborted, signal);
        if (signal.aborted) return;
        made ??= create();
        const gone = new AbortController();
        const stop = AbortSignal.any([signal, gone.signal]);
        const running = made.run(stop);
        await Promise.race([running, changed(crds, () => !isInstalled(), signal)]);
        gone.abort();
        await running;
      }
    },
  };
}

function crdOf(kind: Kind<KubeObject>, cache: Pick<ObjectCache, 'informer'>): Informer {
  return cache.informer(crdKind, { fieldSelector: `metadata.name=${kindName(kind)}` });
}

/** Which of some kinds are there to be read. */
export type InstalledKinds = {
  /** True for all kinds that must be there. Undefined: not known yet. */
  readonly has: (kind: Kind<KubeObject>) => boolean | undefined;
  /** Told the name of a kind that has come or gone. */
  readonly onChange: (listener: (name: string) => void) => void;
};

/** A cache of a kind that is not installed is never complete, and must not be opened for those who only ask. */
export function createInstalledKinds(
  optional: readonly Kind<KubeObject>[],
  cache: Pick<ObjectCache, 'informer'>,
): InstalledKinds {
  const crds = new Map(optional.map((kind) => [kindName(kind), crdOf(kind, cache)]));
  return {
    has: (kind) => {
      const name = kindName(kind);
      const crd = crds.get(name);
      if (!crd) return true;
      return crd.hasSynced() ? isServed(crd.get({ name }), kind.version) : undefined;
    },
    onChange: (listener) => {
      for (const [name, crd] of crds) crd.onChange(() => listener(name));
    },
  };
}

type Crd = AnyObject & {
  readonly spec?: { readonly versions?: readonly { readonly name: string; readonly served: boolean }[] };
  readonly status?: { readonly conditions?: readonly Condition[] };
};

function isServed(object: AnyObject | undefined, version: string): boolean {
  const { spec, status } = (object ?? {}) as Partial<Crd>;
  const served = spec?.versions?.some((each) => each.name === version && each.served) ?? false;
  return served && isTrue(status?.conditions, 'Established');
}

/** Resolves when the condition holds or the signal is aborted. */
async function changed(informer: Informer, holds: () => boolean, signal: AbortSignal): Promise<void> {
  if (holds() || signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      queueMicrotask(() => end());
      signal.removeEventListener('abort', finish);
      resolve();
    };
    signal.addEventListener('abort', finish, { once: true });
    const end = informer.onChange(() => {
      if (holds()) finish();
    });
  });
}
