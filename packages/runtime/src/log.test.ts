import { pino } from 'pino';
import { expect, test } from 'vitest';
import { silentLog } from './log.ts';
import type { Log } from './log.ts';

test('a pino logger is a log, and its children carry their fields', () => {
  const lines: string[] = [];
  const log: Log = pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) });
  log.child({ key: 'n/a' }).warn({ code: 'test/x' }, 'failed');
  expect(lines).toEqual(['{"level":40,"key":"n/a","code":"test/x","msg":"failed"}\n']);
});

test('the silent log says nothing, and neither do its children', () => {
  expect(silentLog.child({ a: 1 }).error({}, 'lost')).toBeUndefined();
});
