import type { Fixture } from './fixture.ts';
import { networkFixtures } from './fixtures-network.ts';
import { pagesFixtures } from './fixtures-pages.ts';
import { zeroTrustFixtures } from './fixtures-zero-trust.ts';
import { zoneFixtures } from './fixtures-zone.ts';

/** By kind. */
export const fixtures: Readonly<Record<string, Fixture>> = {
  ...networkFixtures,
  ...zoneFixtures,
  ...pagesFixtures,
  ...zeroTrustFixtures,
};
