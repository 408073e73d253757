import { defineConfig } from 'vitest/config';

const conformance = ['packages/sim-kubernetes/conformance/**/*.conformance.ts'];
const beside = ['packages/*/src', 'tools', 'bench', 'examples'];
const named = (ending: string): string[] => beside.map((folder) => `${folder}/**/*.${ending}.ts`);

// Where a test file belongs is said by its name: foo.test.ts needs Node only, foo.real.test.ts a real control
// plane, foo.long.test.ts more than a minute. The conformance suite runs against both servers.
export default defineConfig({
  test: {
    reporters: ['default'],
    coverage: {
      provider: 'v8',
      include: ['packages/{runtime,cloudflare,cloudflare-api}/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**', '**/test-*.ts'],
      // Measured with the quick tests alone: what only the crash lives and the campaign reach counts as not covered.
      thresholds: {
        'packages/runtime/src/**': { lines: 90 },
        'packages/cloudflare/src/**': { lines: 90 },
        'packages/cloudflare-api/src/**': { lines: 90 },
      },
      reporter: ['text-summary', 'json-summary'],
    },
    projects: [
      {
        test: {
          name: 'unit',
          include: named('test'),
          exclude: ['**/node_modules/**', '**/fixtures/**', ...named('real.test'), ...named('long.test')],
          isolate: false,
          pool: 'threads',
          // Nothing waits for real time; this only ends what hangs, also on a busy machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'conformance-sim',
          include: conformance,
          // kubectl is compared on both servers at once, and is built with the real one.
          exclude: ['**/*.real.conformance.ts'],
          env: { TRIBUTARY_SERVER: 'sim' },
          testTimeout: 20_000,
          hookTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'conformance-real',
          include: conformance,
          env: { TRIBUTARY_SERVER: 'real' },
          globalSetup: ['tools/control-plane/vitest-setup.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'real',
          include: named('real.test'),
          globalSetup: ['tools/control-plane/vitest-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          name: 'long',
          include: named('long.test'),
          globalSetup: ['tools/control-plane/vitest-setup.ts'],
          testTimeout: 1_800_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
