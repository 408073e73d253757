import { AsyncLocalStorage } from 'node:async_hooks';
import { ROOT_CONTEXT } from '@opentelemetry/api';
import type { Context, ContextManager } from '@opentelemetry/api';

/** Lets a span find its parent across awaits. */
export function createAsyncContext(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, fn, thisArg, ...args) => storage.run(context, () => fn.apply(thisArg as never, args)),
    bind: (context, target) => {
      if (typeof target !== 'function') return target;
      const bound = (...args: unknown[]): unknown =>
        storage.run(context, () => (target as (...given: unknown[]) => unknown)(...args));
      return bound as typeof target;
    },
    enable: () => manager,
    disable: () => {
      storage.disable();
      return manager;
    },
  };
  return manager;
}
