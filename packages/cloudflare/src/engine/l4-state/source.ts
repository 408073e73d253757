/** Which Kubernetes object a source came from. No namespace: cluster-wide. */
export type SourceRef = {
  readonly kind: string;
  readonly namespace?: string | undefined;
  readonly name: string;
};

/** What one object asks of a target, as a SyncState stores it. */
export type Source<C = Readonly<Record<string, unknown>>> = {
  readonly ref: SourceRef;
  readonly config: C;
  /** Lower wins. */
  readonly priority: number;
  /** The object's creationTimestamp: among equals the older one wins, whoever registered first. */
  readonly createdAt: string;
  /** When the config last changed; a registration that changes nothing does not touch it. */
  readonly lastUpdated?: string;
  /** The object is gone and asked that the remote side stay as it is. */
  readonly orphaned?: boolean;
};

/** The priorities of seed objects; kinds with aggregated targets let a user set another one. */
export const priorities = { highest: 10, high: 50, normal: 100, low: 200 } as const;

/** `Kind/namespace/name`, or `Kind/name` for a cluster-wide object. */
export function sourceId({ kind, namespace, name }: SourceRef): string {
  return namespace ? `${kind}/${namespace}/${name}` : `${kind}/${name}`;
}

/** The order in which sources win: it depends on what they are, never on the order in which they were seen. */
export function compareSources(a: Source<unknown>, b: Source<unknown>): number {
  return (
    a.priority - b.priority ||
    compareText(a.createdAt, b.createdAt) ||
    compareText(a.ref.kind, b.ref.kind) ||
    compareText(a.ref.namespace ?? '', b.ref.namespace ?? '') ||
    compareText(a.ref.name, b.ref.name)
  );
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
