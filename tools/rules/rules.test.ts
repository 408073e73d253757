import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { checkRules } from './check-rules.ts';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

const packages = ['runtime', 'cloudflare', 'cloudflare-api', 'alibaba-eip', 'sim-cloudflare', 'testkit'];

/** A tree with the packages' names and the given files; every package exports its index. */
function plant(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'rules-'));
  folders.push(folder);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  mkdirSync(join(folder, 'node_modules', '@tributary'), { recursive: true });
  for (const name of packages) {
    write(
      `packages/${name}/package.json`,
      JSON.stringify({ name: `@tributary/${name}`, exports: { '.': './src/index.ts' } }),
    );
    write(`packages/${name}/src/index.ts`, 'export const face = 1;\nexport type Face = number;\n');
    symlinkSync(join(folder, 'packages', name), join(folder, 'node_modules', '@tributary', name));
  }
  for (const [path, text] of Object.entries(files)) write(path, text);
  return folder;
}

const engine = 'packages/cloudflare/src/engine';
const kinds = 'packages/cloudflare/src/kinds';
const targets = 'packages/cloudflare/src/targets';
const client = `import { face } from '@tributary/cloudflare-api';\nexport const used = face;\n`;

const planted: { name: string; rule: string; files: Record<string, string> }[] = [
  { name: 'a kind imports the client', rule: 'one-caller', files: { [`${kinds}/dns/contribute.ts`]: client } },
  {
    name: 'a kind imports a type of the client',
    rule: 'one-caller',
    files: {
      [`${kinds}/dns/contribute.ts`]: `import type { Face } from '@tributary/cloudflare-api';\nexport type Used = Face;\n`,
    },
  },
  {
    name: 'a kind imports the client dynamically',
    rule: 'one-caller',
    files: { [`${kinds}/dns/contribute.ts`]: `export const used = () => import('@tributary/cloudflare-api');\n` },
  },
  {
    name: 'a kind reaches the client through a third file',
    rule: 'one-caller-transitively',
    files: {
      [`${engine}/l5-sync/apply.ts`]: client,
      [`${engine}/shared/bridge.ts`]: `export { used } from '../l5-sync/apply.ts';\n`,
      [`${kinds}/dns/contribute.ts`]: `import { used } from '../../engine/shared/bridge.ts';\nexport const mine = used;\n`,
    },
  },
  {
    name: 'layer 3 reaches the client through a type-only chain',
    rule: 'one-caller-transitively',
    files: {
      [`${engine}/l5-sync/apply.ts`]: client,
      [`${engine}/l3-core/register.ts`]: `import type { used } from '../shared/bridge.ts';\nexport type Mine = typeof used;\n`,
      [`${engine}/shared/bridge.ts`]: `export type { used } from '../l5-sync/apply.ts';\n`,
    },
  },
  {
    name: "a kind imports a target's sync",
    rule: 'kinds-see-contracts-only',
    files: {
      [`${targets}/dns/sync.ts`]: 'export const sync = 1;\n',
      [`${kinds}/dns/contribute.ts`]: `import { sync } from '../../targets/dns/sync.ts';\nexport const used = sync;\n`,
    },
  },
  {
    name: 'a kind imports another kind',
    rule: 'kinds-do-not-import-kinds',
    files: {
      [`${kinds}/tunnel/resource.ts`]: 'export const tunnel = 1;\n',
      [`${kinds}/dns/contribute.ts`]: `import { tunnel } from '../tunnel/resource.ts';\nexport const used = tunnel;\n`,
    },
  },
  {
    name: 'a target imports another target',
    rule: 'targets-do-not-import-targets',
    files: {
      [`${targets}/tunnel/sync.ts`]: 'export const tunnel = 1;\n',
      [`${targets}/dns/sync.ts`]: `import { tunnel } from '../tunnel/sync.ts';\nexport const used = tunnel;\n`,
    },
  },
  {
    name: 'the engine imports a kind',
    rule: 'engine-knows-no-kind',
    files: {
      [`${kinds}/tunnel/resource.ts`]: 'export const tunnel = 1;\n',
      [`${engine}/l2-controllers/run.ts`]: `import { tunnel } from '../../kinds/tunnel/resource.ts';\nexport const used = tunnel;\n`,
    },
  },
  {
    name: 'layer 4 imports layer 5',
    rule: 'layers-point-one-way',
    files: {
      [`${engine}/l5-sync/apply.ts`]: 'export const apply = 1;\n',
      [`${engine}/l4-state/state.ts`]: `import { apply } from '../l5-sync/apply.ts';\nexport const used = apply;\n`,
    },
  },
  {
    name: 'layer 2 imports layer 5',
    rule: 'layer-2-cannot-see-layer-5',
    files: {
      [`${engine}/l5-sync/apply.ts`]: 'export const apply = 1;\n',
      [`${engine}/l2-controllers/run.ts`]: `import { apply } from '../l5-sync/apply.ts';\nexport const used = apply;\n`,
    },
  },
  {
    name: 'the runtime imports a provider',
    rule: 'runtime-knows-no-one',
    files: { 'packages/runtime/src/watch.ts': client },
  },
  {
    name: 'a simulator imports an operator',
    rule: 'simulators-know-no-operator',
    files: {
      'packages/sim-cloudflare/src/dns.ts': `import { face } from '@tributary/cloudflare';\nexport const used = face;\n`,
    },
  },
  {
    name: 'an operator ships a simulator',
    rule: 'operators-ship-no-simulator',
    files: {
      'packages/cloudflare/src/main.ts': `import { face } from '@tributary/sim-cloudflare';\nexport const used = face;\n`,
    },
  },
  {
    name: 'an operator imports another operator',
    rule: 'operators-are-independent',
    files: {
      'packages/alibaba-eip/src/main.ts': `import { face } from '@tributary/cloudflare';\nexport const used = face;\n`,
    },
  },
  {
    name: "a package reaches into another's files",
    rule: 'through-the-front-door',
    files: {
      'packages/runtime/src/secret.ts': 'export const secret = 1;\n',
      'packages/testkit/src/kit.ts': `import { secret } from '../../runtime/src/secret.ts';\nexport const used = secret;\n`,
    },
  },
  {
    name: 'two modules import each other',
    rule: 'no-cycles',
    files: {
      'packages/runtime/src/a.ts': `import type { B } from './b.ts';\nexport type A = B | 1;\n`,
      'packages/runtime/src/b.ts': `import type { A } from './a.ts';\nexport type B = A | 2;\n`,
    },
  },
  {
    name: 'code imports a test',
    rule: 'no-tests-in-code',
    files: {
      'packages/runtime/src/a.test.ts': 'export const planted = 1;\n',
      'packages/runtime/src/a.ts': `import { planted } from './a.test.ts';\nexport const used = planted;\n`,
    },
  },
];

describe('each import rule fires on a planted violation', () => {
  for (const { name, rule, files } of planted) {
    test(`${rule}: ${name}`, async () => {
      const { violations } = await checkRules(plant(files));
      expect(violations.filter((violation) => violation.startsWith(`${rule}:`))).not.toEqual([]);
    });
  }
});

test('what the layers may do is no violation, and every module is scanned', async () => {
  const report = await checkRules(
    plant({
      [`${targets}/dns/contract.ts`]: 'export const contract = 1;\n',
      [`${targets}/dns/sync.ts`]: `${client}import { contract } from './contract.ts';\nexport const both = contract;\n`,
      [`${kinds}/dns/contribute.ts`]: `import { contract } from '../../targets/dns/contract.ts';\nexport const used = contract;\n`,
      [`${engine}/l4-state/state.ts`]: 'export const state = 1;\n',
      [`${engine}/l5-sync/apply.ts`]: `${client}import { state } from '../l4-state/state.ts';\nexport const both = state;\n`,
    }),
  );
  expect(report).toEqual({ violations: [], scanned: packages.length + 5, missed: [] });
});
