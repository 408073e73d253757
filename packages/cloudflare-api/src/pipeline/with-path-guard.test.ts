import { describe, expect, test } from 'vitest';
import { testCall, testHeaders } from '../testing/test-call.ts';
import type { Answer } from './call.ts';
import { withPathGuard } from './with-path-guard.ts';

async function outcome(method: string, path: string): Promise<string> {
  const answer: Answer = { status: 200, headers: testHeaders(), text: '', json: undefined };
  const send = withPathGuard(async () => answer);
  return send(testCall(method, path)).then(
    () => 'sent',
    (error: Error) => error.message,
  );
}

describe('an empty id is refused', () => {
  const cases = [
    ['GET', '/zones//dns_records'],
    ['DELETE', '/zones/z1/dns_records/'],
    ['PATCH', '/accounts/a1/cfd_tunnel/undefined'],
    ['GET', '/accounts/null/cfd_tunnel'],
    ['PUT', '/accounts/%20/cfd_tunnel/t1/configurations'],
    ['GET', '/zones/NaN'],
    ['GET', '/zones/[object%20Object]'],
  ] as const;
  for (const [method, path] of cases) {
    test(`${method} ${path}`, async () => {
      expect(await outcome(method, path)).toBe(`${method} ${path}: not sent, an id in it is empty`);
    });
  }
});

describe('a DELETE of a whole collection is refused', () => {
  const paths = [
    '/zones',
    '/accounts',
    '/certificates',
    '/user/tokens',
    '/accounts/a1/tokens',
    '/zones/z1/dns_records',
    '/zones/z1/settings',
    '/accounts/a1/cfd_tunnel',
    '/accounts/a1/warp_connector',
    '/accounts/a1/teamnet/routes',
    '/accounts/a1/teamnet/virtual_networks',
    '/accounts/a1/zerotrust/routes/hostname',
    '/accounts/a1/access/apps',
    '/zones/z1/access/groups',
    '/accounts/a1/access/apps/x/policies',
    '/accounts/a1/gateway/rules',
    '/accounts/a1/devices/policy',
    '/accounts/a1/devices/posture',
    '/accounts/a1/r2/buckets',
    '/accounts/a1/r2/buckets/b/domains/custom',
    '/accounts/a1/event_notifications/r2/b/configuration',
    '/zones/z1/rulesets',
    '/zones/z1/rulesets/x/rules',
    '/accounts/a1/rules/lists',
    '/accounts/a1/queues',
    '/accounts/a1/queues/q/consumers',
    '/accounts/a1/pages/projects',
    '/accounts/a1/pages/projects/p/domains',
  ];
  for (const path of paths) {
    test(path, async () => {
      expect(await outcome('DELETE', path)).toBe(`DELETE ${path}: not sent, it is a whole collection`);
      expect(await outcome('GET', path)).toBe('sent');
    });
  }
});

describe('what is meant passes', () => {
  const paths = [
    '/zones/z1/dns_records/r1',
    '/accounts/a1/cfd_tunnel/t1',
    '/accounts/a1/cfd_tunnel/t1/connections',
    '/accounts/a1/access/tags/apps',
    '/accounts/a1/r2/buckets/routes',
    '/accounts/a1/r2/buckets/b/cors',
    '/accounts/a1/rules/lists/l/items',
    '/accounts/a1/event_notifications/r2/b/configuration/queues/q',
  ];
  for (const path of paths) {
    test(`DELETE ${path}`, async () => {
      expect(await outcome('DELETE', path)).toBe('sent');
    });
  }
});

test('the refusal is never retried', async () => {
  const send = withPathGuard(async () => Promise.reject(new Error('sent')));
  await expect(send(testCall('DELETE', '/zones/z1/dns_records'))).rejects.toMatchObject({
    class: 'validation',
    family: 'dns',
    status: 0,
    effect: 'none',
    retry: { kind: 'never' },
  });
});
