import type { Loose } from './loose.ts';

/** The least that is a pod, and what a test wants beside it. */
export const pod = (name: string, more: Loose = {}): Loose => ({
  ...more,
  metadata: { name, ...more.metadata },
  spec: { containers: [{ name: 'main', image: 'busybox' }], ...more.spec },
});
