import { expect, test } from 'vitest';
import { onAnyAbort } from './abort-links.ts';

test('the first abort is told once, with its reason', () => {
  const [first, second] = [new AbortController(), new AbortController()];
  const reasons: string[] = [];
  onAnyAbort([first.signal, second.signal], ({ message }) => void reasons.push(message));
  second.abort(new Error('two'));
  first.abort(new Error('one'));
  expect(reasons).toEqual(['two']);
});

test('one that is aborted already is told at once', () => {
  const reasons: string[] = [];
  const signals = [new AbortController().signal, AbortSignal.abort(new Error('over'))];
  onAnyAbort(signals, ({ message }) => void reasons.push(message))();
  expect(reasons).toEqual(['over']);
});

test('nothing is told any more after it was taken off', () => {
  const controller = new AbortController();
  const reasons: string[] = [];
  onAnyAbort([controller.signal], ({ message }) => void reasons.push(message))();
  controller.abort(new Error('late'));
  expect(reasons).toEqual([]);
});
