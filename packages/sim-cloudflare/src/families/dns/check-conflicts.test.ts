import { describe, expect, test } from 'vitest';
import { startTestSim } from '../../testing/start-test-sim.ts';

type Input = Readonly<Record<string, unknown>>;

const a = { type: 'A', name: 'x', content: '192.0.2.1' };
const cname = { type: 'CNAME', name: 'x', content: 'y.example.net' };
const ns = { type: 'NS', name: 'x', content: 'ns.example.net' };
const txt = { type: 'TXT', name: 'x', content: 'hello' };
const beside: readonly { name: string; first: Input; second: Input; codes: readonly number[] }[] = [
  { name: 'two addresses may share a name', first: a, second: { ...a, content: '192.0.2.2' }, codes: [] },
  { name: 'text may stand beside a CNAME', first: cname, second: txt, codes: [] },
  { name: 'a CNAME finds an address', first: a, second: cname, codes: [81053] },
  { name: 'a CNAME finds another', first: cname, second: { ...cname, content: 'z.example.net' }, codes: [81053] },
  { name: 'an address finds a CNAME', first: cname, second: a, codes: [81054] },
  { name: 'a delegation finds a CNAME', first: cname, second: ns, codes: [81054] },
  { name: 'an address finds a delegation', first: ns, second: a, codes: [81056] },
  { name: 'text finds a delegation', first: ns, second: txt, codes: [81056] },
  { name: 'a delegation finds an address', first: a, second: ns, codes: [81053] },
  { name: 'a delegation finds text', first: txt, second: ns, codes: [81057] },
  {
    name: 'a delegation has several servers and its DS',
    first: ns,
    second: { ...ns, content: 'ns2.example.net' },
    codes: [],
  },
  { name: 'the same record again', first: a, second: a, codes: [81058] },
  {
    name: 'the same record in other words',
    first: txt,
    second: { ...txt, name: 'X.example.com.', content: '"hello"' },
    codes: [81058],
  },
  { name: 'the same record with another ttl', first: a, second: { ...a, ttl: 300 }, codes: [81057] },
  { name: 'text differs by case', first: txt, second: { ...txt, content: 'HELLO' }, codes: [] },
  {
    name: 'at the apex a server may stand beside an address',
    first: { ...ns, name: '@' },
    second: { ...a, name: '@' },
    codes: [],
  },
];

describe('records of one name', () => {
  for (const { name, first, second, codes } of beside) {
    test(`${name}: ${codes.join(', ') || 'allowed'}`, async () => {
      const { call, free } = await startTestSim();
      expect((await call('POST', `/zones/${free}/dns_records`, first)).status).toBe(200);
      expect(await call('POST', `/zones/${free}/dns_records`, second)).toMatchObject({
        status: codes.length > 0 ? 400 : 200,
        codes,
      });
    });
  }
});
