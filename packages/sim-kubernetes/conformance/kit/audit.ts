import { randomUUID } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { masked } from './mask.ts';
import { eventually } from './scratch.ts';
import type { ServerUnderTest } from './server-under-test.ts';
import type { Call, Loose, WireClient } from './wire-client.ts';

export type Audited = {
  /** Sends a call and waits for what the audit log says of it. */
  readonly eventsOf: (call: Call, count?: number) => Promise<readonly Loose[]>;
};

/** Reads the audit log of the server from now on, and finds in it what a test has sent. */
export function followAudit(api: WireClient, server: ServerUnderTest): Audited {
  const path = server.auditLogPath;
  const events = new Map<string, Loose[]>();
  let offset = statSync(path).size;
  let rest = '';
  const readOn = (): void => {
    const { size } = statSync(path);
    const bytes = Buffer.alloc(size - offset);
    const file = openSync(path, 'r');
    readSync(file, bytes, 0, bytes.length, offset);
    closeSync(file);
    offset = size;
    const lines = (rest + bytes.toString('latin1')).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      const event: Loose = JSON.parse(Buffer.from(line, 'latin1').toString());
      events.set(event.auditID, [...(events.get(event.auditID) ?? []), event]);
    }
  };
  const found = async (auditId: string): Promise<readonly Loose[]> => {
    readOn();
    return events.get(auditId) ?? [];
  };
  return {
    eventsOf: async (call, count = 1) => {
      const auditId = randomUUID();
      const headers = { 'user-agent': 'conformance/1.0', ...call.headers, 'audit-id': auditId };
      await api.send({ ...call, headers });
      await eventually(
        () => found(auditId),
        (known) => known.length >= count,
      );
      return found(auditId);
    },
  };
}

// Where several bindings allow it, kube-apiserver names the first that it finds, in an order of chance.
const reason = (text: string): string => text.replace(/^RBAC: allowed by \w+ .*$/, 'RBAC: allowed by <binding>');

const times = ['requestReceivedTimestamp', 'stageTimestamp'];

/** What a golden file keeps of an event: all of it, in its order, without what differs from run to run. */
export function maskedEvent(event: Loose, names: Readonly<Record<string, string>>): Loose {
  const { annotations, ...shown } = masked(event, names);
  for (const key of times) if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(shown[key])) shown[key] = '<time>';
  if (annotations === undefined) return shown;
  // How long it took is told of slow requests alone, and which webhooks others have is by chance.
  const told = Object.entries(annotations).filter(([key]) => !key.startsWith('apiserver.latency.k8s.io/'));
  return {
    ...shown,
    annotations: Object.fromEntries(
      told.map(([key, value]) => [key.replace(/index_\d+$/, 'index_<n>'), reason(String(value))]),
    ),
  };
}
