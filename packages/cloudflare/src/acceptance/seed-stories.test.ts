import { afterAll, beforeAll, describe, test } from 'vitest';
import { createWorld } from '../testing/world.ts';
import type { World } from '../testing/world.ts';
import { seed001 } from './testing/seed-001-stories.ts';
import { seed002 } from './testing/seed-002-stories.ts';
import { embeddedStage } from './testing/stage.ts';

let world: World;
beforeAll(async () => {
  world = await createWorld();
  await world.applyCredentials();
});
afterAll(async () => world.stop());

describe('seed 001, on the embedded server', () => {
  for (const { name, expectStory } of seed001) test(name, async () => expectStory(embeddedStage(world)));
});

describe('seed 002, on the embedded server', () => {
  for (const { name, expectStory } of seed002) test(name, async () => expectStory(embeddedStage(world)));
});
