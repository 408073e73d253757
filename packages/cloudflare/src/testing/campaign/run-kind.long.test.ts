import { expect, test } from 'vitest';
import { warpConnectorKind } from '../../kinds/warp-connector/resource.ts';
import { fixtures } from './fixtures.ts';
import { runKind } from './run-kind.ts';

test(
  'a kind is as after a fresh installation whatever was set, changed and removed',
  { timeout: 300_000 },
  async () => {
    const report = await runKind(warpConnectorKind, fixtures['WARPConnector'] ?? { bases: [{}] });
    expect(report).toMatchObject({ kind: 'WARPConnector', differences: [] });
    expect(report.exercised).toBeGreaterThan(30);
  },
);
