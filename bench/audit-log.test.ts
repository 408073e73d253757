import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '@tributary/sim-kubernetes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openAuditLog, tally, writesOf } from './audit-log.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'audit-log-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the requests of one program are counted in the log of the embedded server', async () => {
  const auditLogPath = join(folder, 'audit.log');
  const events: string[] = [];
  const onAudit = ({ stage }: { readonly stage: string }): number => events.push(stage);
  const cluster = await startCluster({ listen: false, controllers: [], auditLogPath, onAudit });
  const log = openAuditLog(auditLogPath);
  const path = '/api/v1/namespaces/default/configmaps';
  for (const [agent, method, body] of [
    ['operator/1', 'POST', '{"metadata":{"name":"a"}}'],
    ['operator/1', 'POST', '{"metadata":{"name":"a"}}'],
    ['operator/1', 'GET', undefined],
    ['other/1', 'POST', '{"metadata":{"name":"b"}}'],
  ] as const) {
    const headers = { 'user-agent': agent, 'content-type': 'application/json' };
    await cluster.transport().request({ method, path, headers, ...(body !== undefined && { body }) });
  }
  const entries = log.take();
  expect(tally(writesOf('operator', entries))).toEqual({ 'create configmaps': 1, 'create configmaps 409': 1 });
  expect(entries).toHaveLength(4);
  expect(entries.every(({ tookMs }) => tookMs >= 0 && tookMs < 60_000)).toBe(true);
  expect(events).toHaveLength(4);
  expect(log.take()).toEqual([]);
  await cluster.stop();
});
