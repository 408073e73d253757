import { globSync, readFileSync } from 'node:fs';

/**
 * The tests that coverage is measured with: all of the runtime and of the client; of the operator those that start no world
 * of their own, which are tables of pure functions, and a few that have every kind in one world. All of them together would
 * take as long as `npm test` again.
 */
const whole = ['packages/runtime/src/**/*.test.ts', 'packages/cloudflare-api/src/**/*.test.ts'];
const worlds = [
  'packages/cloudflare/src/acceptance/seed-001.test.ts',
  'packages/cloudflare/src/acceptance/seed-stories.test.ts',
  'packages/cloudflare/src/scenarios/gateway.test.ts',
  'packages/cloudflare/src/scenarios/pages.test.ts',
  'packages/cloudflare/src/engine/l5-sync/breaker.test.ts',
  'packages/cloudflare/src/engine/l5-sync/sync-controller.test.ts',
];

const startsWorld = /\b(create\w*World|start\w*World|describeKind|describeTarget|describeCrashes|buildTown)\b/;
const slow = /(\.(real|long)|[/]crash)\.test\.ts$/;

export function quickTests(root: string): readonly string[] {
  const at = (pattern: string): readonly string[] =>
    globSync(pattern, { cwd: root }).filter((file) => !slow.test(file));
  const pure = at('packages/cloudflare/src/**/*.test.ts').filter(
    (file) => !startsWorld.test(readFileSync(`${root}/${file}`, 'utf8')),
  );
  return [...new Set([...whole.flatMap(at), ...pure, ...worlds])].toSorted();
}
