import { afterEach, beforeEach } from 'vitest';
import { createWorld } from './world.ts';
import type { World } from './world.ts';

/** Every test of the file has a world of its own, with credentials, and `use` is told which. */
export function worldOfEachTest(use: (world: World) => void): void {
  let current: World | undefined;
  beforeEach(async () => {
    current = await createWorld();
    await current.applyCredentials();
    use(current);
  });
  afterEach(async () => current?.stop());
}
