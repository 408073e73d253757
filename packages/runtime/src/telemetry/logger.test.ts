import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { KubeApiError } from '../client/kube-api-error.ts';
import { OperatorError } from '../operator-error.ts';
import { createLogger } from './logger.ts';
import type { LoggerOptions } from './logger.ts';

function logTo(options: LoggerOptions = {}) {
  const lines: string[] = [];
  const clock = { now: () => Date.UTC(2026, 0, 5, 12) };
  const log = createLogger({ destination: { write: (line) => void lines.push(line) }, ...options }, { clock });
  return { log, lines, read: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('a log line', () => {
  test('is JSON with level, time, fields and message', () => {
    const { log, lines } = logTo({ fields: { service: 'x' } });
    log.child({ controller: 'c' }).info({ key: 'a/b', n: 1 }, 'reconciled');
    expect(lines).toEqual([
      '{"level":"info","time":"2026-01-05T12:00:00.000Z","service":"x","controller":"c","key":"a/b","n":1,"msg":"reconciled"}\n',
    ]);
  });
  test('below the level is not written, nor are its fields looked at', () => {
    const { log, lines } = logTo({ level: 'warn' });
    const trap = Object.defineProperty({}, 'x', { enumerable: true, get: () => expect.fail('looked at') });
    log.debug(trap, 'no');
    log.info(trap, 'no');
    log.warn({}, 'yes');
    log.error({}, 'yes');
    expect(lines).toHaveLength(2);
  });
  test('reaches standard output before the process dies', () => {
    const script = `import { createLogger } from ${JSON.stringify(join(import.meta.dirname, 'logger.ts'))};
      const log = createLogger();
      for (let nth = 1; nth <= 200; nth += 1) log.info({ nth }, 'last words');
      process.kill(process.pid, 'SIGKILL');`;
    const run = (): string => {
      try {
        return execFileSync(process.execPath, ['--input-type=module', '-e', script], {
          encoding: 'utf8',
          stdio: 'pipe',
        });
      } catch (error) {
        return (error as { stdout: string }).stdout;
      }
    };
    expect(run().match(/last words/g)).toHaveLength(200);
  });
});

describe('an error in a log line', () => {
  test('keeps its code and the chain of its causes', () => {
    const { log, read } = logTo();
    const root = Object.assign(new Error('connect refused'), { code: 'ECONNREFUSED' });
    const error = new OperatorError('kube/unreachable', 'no answer', { kind: 'backoff' }, { cause: root });
    log.error({ err: error }, 'failed');
    expect(read()[0]).toMatchObject({
      err: {
        type: 'OperatorError',
        code: 'kube/unreachable',
        message: 'no answer',
        stack: expect.stringContaining('logger.test.ts') as string,
        cause: { type: 'Error', code: 'ECONNREFUSED', message: 'connect refused' },
      },
    });
  });
  test('of the API server has status and reason, but not the body of the answer', () => {
    const { log, lines, read } = logTo();
    const body = { message: 'the-whole-object' };
    log.warn(
      { err: new KubeApiError('kube/invalid', 'no', { kind: 'never' }, { status: 422, reason: 'Invalid', body }) },
      'x',
    );
    expect(read()[0]).toMatchObject({ err: { status: 422, reason: 'Invalid' } });
    expect(lines[0]).not.toContain('the-whole-object');
  });
  test('shows all parts of an AggregateError and survives a ring of causes', () => {
    const { log, read } = logTo();
    const ring = new Error('ring');
    ring.cause = ring;
    log.error({ err: new AggregateError([new Error('one'), 'two'], 'both'), ring }, 'x');
    expect(read()[0]).toMatchObject({
      err: { message: 'both', errors: [{ message: 'one' }, 'two'] },
      ring: { message: 'ring', cause: { message: 'ring' } },
    });
  });
});

describe('a secret', () => {
  const secret = 'hunter2hunter2';
  const hidden: Readonly<Record<string, unknown>> = {
    token: secret,
    deep: [{ inside: { 'api-key': secret, apiKey: secret, API_TOKEN: secret } }],
    headers: { Authorization: `Bearer ${secret}`, 'x-auth-key': secret, 'set-cookie': [secret] },
    password: { old: secret, new: secret },
    text: `sent "authorization: Bearer ${secret}" to https://user:${secret}@example.com/`,
    jwt: `eyJhbGciOiJIUzI1NiJ9.${secret}.abc`,
    object: { kind: 'Secret', metadata: { name: 'seen' }, data: { key: secret }, stringData: { other: secret } },
    list: { items: [{ kind: 'Secret', data: { key: secret } }] },
    err: new Error(`cannot log in with Bearer ${secret}`, { cause: Object.assign(new Error('x'), { code: 5 }) }),
    json: { toJSON: () => ({ password: secret }) },
  };
  for (const [name, value] of Object.entries(hidden)) {
    test(`does not get into a line by ${name}`, () => {
      const { log, lines } = logTo();
      log.info({ [name]: value }, 'line');
      log.child({ [name]: value }).error({}, 'child');
      expect(lines).toHaveLength(2);
      expect(lines.join('')).not.toContain(secret);
      expect(lines.join('')).toContain('[redacted]');
    });
  }
  test('does not get into a message', () => {
    const { log, lines } = logTo();
    log.info({}, `with Bearer ${secret}`);
    expect(lines[0]).toContain('"msg":"with Bearer [redacted]"');
  });
  test('by a name of your own does not get into a line', () => {
    const { log, read } = logTo({ redact: ['zone-pin'] });
    log.info({ zonePin: 12_345 }, 'x');
    expect(read()[0]).toMatchObject({ zonePin: '[redacted]' });
  });
  test('leaves what is no secret as it is', () => {
    const { log, read } = logTo();
    const fields = {
      secretName: 'mine',
      tokens: 5,
      token: false,
      none: null,
      object: { kind: 'ConfigMap', data: { key: 'v' } },
      when: new Date(0),
    };
    log.info(fields, 'x');
    expect(read()[0]).toMatchObject({ ...fields, when: '1970-01-01T00:00:00.000Z' });
  });
  test('is not looked for without end', () => {
    const { log, lines } = logTo();
    const ring: Record<string, unknown> = {};
    ring['ring'] = ring;
    log.info({ ring }, 'x');
    expect(lines[0]).toContain('[too deep]');
  });
});
