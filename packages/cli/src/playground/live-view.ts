import { getCondition } from '@tributary/runtime';
import type { Change, Condition, Connection, Kind } from '@tributary/runtime';

/** Tells of each change of the given kinds, as it happens. Returns how to end it. */
export function showChanges({ cache }: Connection, kinds: readonly Kind[], tell: (line: string) => void): () => void {
  const ends = kinds.map((kind) => {
    const told = new Map<string, string>();
    return cache.informer(kind).onChange((change) => {
      const line = toLine(kind, change);
      // Much of an object's life is not worth a line: a person wants to see what is new.
      const { uid = '' } = change.object.metadata;
      if (isHousekeeping(change) || told.get(uid) === line) return;
      told.set(uid, line);
      tell(line);
    });
  });
  return () => {
    for (const end of ends) end();
  };
}

/** Puts the time since the start before a line. */
export function withElapsedTime(clock: Connection['clock'], say: (line: string) => void): (line: string) => void {
  const startMs = clock.monotonic();
  return (line) => say(`${((clock.monotonic() - startMs) / 1000).toFixed(2).padStart(7)} s  ${line}`);
}

function toLine(kind: Kind, { type, object }: Change): string {
  const { namespace, name } = object.metadata;
  const where = namespace === undefined ? `${name}` : `${namespace}/${name}`;
  const what =
    type === 'deleted' ? 'gone' : object.metadata.deletionTimestamp ? `deleting: ${gist(object)}` : gist(object);
  return `${kind.kind.padEnd(20)} ${where.padEnd(44)} ${what}`;
}

type Told = {
  readonly phase?: unknown;
  readonly text?: unknown;
  readonly syncStatus?: unknown;
  readonly error?: unknown;
  readonly conditions?: readonly Condition[];
  readonly loadBalancer?: { readonly ingress?: readonly { readonly hostname?: string; readonly ip?: string }[] };
};

/** The one thing about an object that a person looks for first. */
function gist(object: Change['object']): string {
  const status = (object['status'] ?? {}) as Told;
  const ready = getCondition(status.conditions, 'Ready');
  const address = status.loadBalancer?.ingress?.[0];
  if (typeof status.syncStatus === 'string') return [status.syncStatus, status.error].filter(Boolean).join(': ');
  if (ready) return ready.status === 'True' ? `Ready` : `${ready.reason}: ${ready.message}`;
  const found =
    status.phase ??
    status.text ??
    address?.hostname ??
    address?.ip ??
    (object['data'] as { text?: unknown } | undefined)?.text;
  return typeof found === 'string' ? found : 'there';
}

/** What every cluster has and nobody asked for. */
function isHousekeeping({ object }: Change): boolean {
  return object.metadata.name === 'kube-root-ca.crt';
}
