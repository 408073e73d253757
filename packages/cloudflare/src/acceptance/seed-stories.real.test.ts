import { afterAll, beforeAll, describe, test } from 'vitest';
import { startRealWorld } from '../testing/real-world.ts';
import type { RealWorld } from '../testing/real-world.ts';
import { seed001 } from './testing/seed-001-stories.ts';
import { seed002 } from './testing/seed-002-stories.ts';
import { realStage } from './testing/stage.ts';

let world: RealWorld;
beforeAll(async () => {
  world = await startRealWorld();
});
afterAll(async () => world.stop());

describe('seed 001, on a real kube-apiserver', () => {
  for (const { name, expectStory } of seed001) test(name, async () => expectStory(realStage(world)));
});

describe('seed 002, on a real kube-apiserver', () => {
  for (const { name, expectStory } of seed002) test(name, async () => expectStory(realStage(world)));
});
