import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** What the audit log of an API server says of one request. */
export type AuditEntry = {
  readonly verb: string;
  readonly userAgent: string;
  readonly resource: string;
  readonly subresource: string | undefined;
  readonly name: string | undefined;
  readonly code: number;
  /** From the first byte of the request to the last of the answer, by the server's own clock. */
  readonly tookMs: number;
};

export type AuditLog = {
  /** The requests since the last call. */
  readonly take: () => readonly AuditEntry[];
};

type Line = {
  readonly verb: string;
  readonly userAgent?: string;
  readonly objectRef?: { readonly resource?: string; readonly subresource?: string; readonly name?: string };
  readonly responseStatus?: { readonly code?: number };
  readonly requestReceivedTimestamp?: string;
  readonly stageTimestamp?: string;
};

export function openAuditLog(path: string): AuditLog {
  let offset = statSync(path).size;
  let rest = '';
  return {
    take: () => {
      const file = openSync(path, 'r');
      const { size } = statSync(path);
      const buffer = Buffer.alloc(size - offset);
      readSync(file, buffer, 0, buffer.length, offset);
      closeSync(file);
      offset = size;
      const lines = (rest + buffer.toString('utf8')).split('\n');
      rest = lines.pop() ?? '';
      return lines.filter((line) => line !== '').map((line) => toEntry(JSON.parse(line) as Line));
    },
  };
}

function toEntry(line: Line): AuditEntry {
  const { verb, userAgent = '', objectRef, responseStatus } = line;
  return {
    verb,
    userAgent,
    resource: objectRef?.resource ?? '',
    subresource: objectRef?.subresource,
    name: objectRef?.name,
    code: responseStatus?.code ?? 0,
    tookMs: Date.parse(line.stageTimestamp ?? '') - Date.parse(line.requestReceivedTimestamp ?? ''),
  };
}

const writeVerbs = new Set(['create', 'update', 'patch', 'delete', 'deletecollection']);
const uncounted = new Set(['leases', 'events']);

/** All requests of whoever calls itself `agent`. */
export function requestsOf(agent: string, entries: readonly AuditEntry[]): readonly AuditEntry[] {
  return entries.filter(({ userAgent }) => userAgent.startsWith(agent));
}

/** The writes of whoever calls itself `agent`; leases and Events are not counted. */
export function writesOf(agent: string, entries: readonly AuditEntry[]): readonly AuditEntry[] {
  return requestsOf(agent, entries).filter(({ verb, resource }) => writeVerbs.has(verb) && !uncounted.has(resource));
}

/** How many of each, for people. */
export function tally(entries: readonly AuditEntry[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { verb, resource, subresource, code } of entries) {
    const what = `${verb} ${resource}${subresource === undefined ? '' : `/${subresource}`}${code >= 400 ? ` ${code}` : ''}`;
    counts[what] = (counts[what] ?? 0) + 1;
  }
  return counts;
}
