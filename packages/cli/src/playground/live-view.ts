import { apiVersionOf } from '@tributary/runtime';
import type { Change, Connection, Kind } from '@tributary/runtime';

/** Prints one line for each change of the given kinds, as it happens. Returns how to end it. */
export function showChanges(connection: Connection, kinds: readonly Kind[], say: (line: string) => void): () => void {
  const startMs = connection.clock.monotonic();
  const ends = kinds.map((kind) =>
    connection.cache.informer(kind).onChange((change) => {
      if (!isHousekeeping(change)) say(toLine(kind, change, connection.clock.monotonic() - startMs));
    }),
  );
  return () => {
    for (const end of ends) end();
  };
}

const marks = { added: '+', updated: '~', deleted: '-' } as const;

function toLine(kind: Kind, change: Change, elapsedMs: number): string {
  const { namespace, name } = change.object.metadata;
  const where = namespace === undefined ? `${name}` : `${namespace}/${name}`;
  const time = `${(elapsedMs / 1000).toFixed(2).padStart(7)} s`;
  return `${time}  ${marks[change.type]} ${kind.kind.padEnd(12)} ${where.padEnd(28)} ${gist(change.object, kind)}`;
}

/** The one thing about an object that a person looks for first. */
function gist(object: Change['object'], kind: Kind): string {
  const status = (object['status'] ?? {}) as { readonly phase?: unknown; readonly text?: unknown };
  const found = status.phase ?? status.text ?? (object['data'] as { text?: unknown } | undefined)?.text;
  return typeof found === 'string' ? found : apiVersionOf(kind);
}

/** What every cluster has and nobody asked for. */
function isHousekeeping({ object }: Change): boolean {
  return object.metadata.name === 'kube-root-ca.crt';
}
