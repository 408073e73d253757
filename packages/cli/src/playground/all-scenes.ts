import { cloudflareScene } from './cloudflare-scene.ts';
import { eipScene } from './eip-scene.ts';
import { greetingScene } from './greeting-scene.ts';
import type { Scene } from './scene.ts';
import { topdownScene } from './topdown-scene.ts';

export const allScenes: readonly Scene[] = [greetingScene, cloudflareScene, eipScene, topdownScene];
