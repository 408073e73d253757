import { expect, test } from 'vitest';
import { createRecordingLog } from '../controller/testing/recording-log.ts';
import { runMain } from './run-main.ts';

function start(run: (signal: AbortSignal) => Promise<void>) {
  const listeners = new Map<string, (value: unknown) => void>();
  const exits: number[] = [];
  const { log, lines } = createRecordingLog();
  const host = {
    on: (event: string, listener: (value: unknown) => void) => listeners.set(event, listener),
    exit: (code: number) => void exits.push(code),
  };
  const ended = runMain(run, { host, log });
  return { exits, lines, ended, raise: (event: string, value?: unknown) => listeners.get(event)?.(value) };
}

const untilAborted = async (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve());
  });
const forEver = async (): Promise<void> => new Promise(() => undefined);

test.each(['SIGTERM', 'SIGINT'])('%s asks for a clean stop', async (signal) => {
  const { exits, ended, raise } = start(untilAborted);
  expect(exits).toEqual([]);
  raise(signal);
  await ended;
  expect(exits).toEqual([0]);
});

test('a second signal ends the process at once', () => {
  const { exits, raise } = start(forEver);
  raise('SIGTERM');
  expect(exits).toEqual([]);
  raise('SIGINT');
  expect(exits).toEqual([1]);
});

test('a failure is logged and is exit code 1', async () => {
  const error = new Error('broken');
  const { exits, ended, lines } = start(async () => Promise.reject(error));
  await ended;
  expect(exits).toEqual([1]);
  expect(lines).toMatchObject([{ level: 'error', err: error }]);
});

test.each(['unhandledRejection', 'uncaughtException'])('%s is logged and is exit code 1', (event) => {
  const error = new Error('nobody cared');
  const { exits, lines, raise } = start(forEver);
  raise(event, error);
  expect(exits).toEqual([1]);
  expect(lines).toMatchObject([{ level: 'error', err: error, event }]);
});
