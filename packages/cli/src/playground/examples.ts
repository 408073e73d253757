import { isAlreadyExists, keyOf } from '@tributary/runtime';
import type { Connection } from '@tributary/runtime';
import type { OpenScene } from './scene.ts';

/** Examples of two scenes may name the same object: as with `kubectl apply`, the later one adds what it says. */
export async function applyExamples({ client }: Connection, open: readonly OpenScene[]): Promise<void> {
  for (const { kind, object } of open.flatMap(({ examples }) => examples)) {
    try {
      await client.create(kind, object);
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      const { namespace, name = '' } = object.metadata;
      await client.patch(kind, { namespace, name }, { type: 'merge', body: object });
    }
  }
}

/** Which examples are not ready, by kind and name. */
export function pendingExamples({ cache }: Connection, open: readonly OpenScene[]): readonly string[] {
  return open.flatMap(({ examples, isReady }) =>
    examples
      .filter((example) => {
        const { namespace, name = '' } = example.object.metadata;
        const seen = cache.informer(example.kind).get({ namespace, name });
        return !seen || !isReady(example, seen);
      })
      .map(({ kind, object }) => `${kind.kind} ${keyOf(object)}`),
  );
}

/** Looks again at every change of an example, until the time is up. */
export async function untilReady(
  connection: Connection,
  open: readonly OpenScene[],
  convergeMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const ends: (() => void)[] = [];
    const finish = (converged: boolean): void => {
      for (const end of ends.splice(0)) end();
      resolve(converged);
    };
    ends.push(connection.clock.after(convergeMs, () => finish(false)));
    const look = (): void => {
      if (pendingExamples(connection, open).length === 0) finish(true);
    };
    const kinds = new Set(open.flatMap(({ examples }) => examples.map(({ kind }) => kind)));
    for (const kind of kinds) ends.push(connection.cache.informer(kind).onChange(look));
    look();
  });
}
