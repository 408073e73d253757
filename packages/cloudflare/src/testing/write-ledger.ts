import type { HttpRequest, Transport } from '@tributary/runtime';

/** A write to the API server. */
export type Write = {
  readonly replica: string;
  readonly method: string;
  /** The plural, `dnsrecords`, or a subresource, `dnsrecords/status`. */
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  /** Of the answer. */
  readonly status: number;
};

export type WriteFilter = {
  readonly replica?: string;
  readonly resource?: string;
  /** Leases and events count too. */
  readonly everything?: boolean;
  /** Those that the server did not accept count too. */
  readonly refused?: boolean;
};

export type WriteLedger = {
  /** The transport of a replica, with its writes noted. */
  readonly around: (replica: string, transport: Transport) => Transport;
  readonly writes: (filter?: WriteFilter) => readonly Write[];
  readonly counts: (filter?: WriteFilter) => Readonly<Record<string, number>>;
  readonly clear: () => void;
};

export function createWriteLedger(): WriteLedger {
  let noted: Write[] = [];
  const writes = ({ replica, resource, everything = false, refused = false }: WriteFilter = {}): readonly Write[] =>
    noted
      .filter((write) => refused || write.status < 300)
      .filter((write) => everything || !['leases', 'events'].includes(write.resource))
      .filter((write) => replica === undefined || write.replica === replica)
      .filter((write) => resource === undefined || write.resource === resource);
  return {
    around: (replica, transport) => ({
      ...transport,
      request: async (request) => {
        const response = await transport.request(request);
        if (request.method !== 'GET') noted.push({ ...toWrite(replica, request), status: response.status });
        return response;
      },
    }),
    writes,
    counts: (filter) => {
      const counts: Record<string, number> = {};
      for (const { resource } of writes(filter)) counts[resource] = (counts[resource] ?? 0) + 1;
      return counts;
    },
    clear: () => void (noted = []),
  };
}

/** `/api/v1/namespaces/ns/secrets/name`, `/apis/group/v1/things/name/status`, and so on. */
function toWrite(replica: string, { method, path }: Pick<HttpRequest, 'method' | 'path'>): Omit<Write, 'status'> {
  const [root, ...rest] = (path.split('?')[0] ?? '').split('/').filter((part) => part !== '');
  const parts = rest.slice(root === 'api' ? 1 : 2);
  const isNamespaced = parts[0] === 'namespaces' && parts.length > 2;
  const namespace = isNamespaced ? (parts[1] ?? '') : '';
  const [plural = '', name = '', subresource] = isNamespaced ? parts.slice(2) : parts;
  return { replica, method, resource: subresource ? `${plural}/${subresource}` : plural, namespace, name };
}
