import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { masked } from '../../../../tools/generate/builtin-golden.ts';
import { builtinAdmission } from '../admission/builtin-admission.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import type { HookContext, ResourceType } from '../registry/resource-type.ts';
import { builtinKinds } from './builtin-kinds.ts';
import { systemPriorityClasses } from './other/other-kinds.ts';

type Golden = {
  readonly input: JsonObject & { readonly apiVersion: string; readonly kind: string };
  readonly status?: JsonObject;
  readonly output: unknown;
  readonly cells: readonly unknown[];
};

const folder = new URL('golden/', import.meta.url);
const kinds = builtinKinds();
const plugins = builtinAdmission({ serviceAccounts: false });
const created = '2026-11-16T00:00:00Z';

const context: HookContext = {
  now: () => created,
  uuid: () => '00000000-0000-4000-8000-000000000000',
  get: (group, plural, _, name) =>
    group === 'scheduling.k8s.io' && plural === 'priorityclasses'
      ? (systemPriorityClasses.find((found) => (found['metadata'] as JsonObject)['name'] === name) as StoredObject)
      : undefined,
  list: () => [],
};

function kindOf({ apiVersion, kind }: Golden['input']): ResourceType {
  const [version = '', group = ''] = apiVersion.split('/').toReversed();
  return kinds.find((type) => type.group === group && type.version === version && type.kind === kind)!;
}

/** What the verbs do with a new object, without the store. */
async function create(type: ResourceType, input: Golden['input']): Promise<Draft> {
  const draft = cloneJson(input) as Draft;
  const metadata = draft['metadata'] as Draft;
  type.strategy.applyDefaults?.(draft);
  if (type.namespaced) metadata['namespace'] = 'default';
  for (const plugin of plugins) {
    await plugin.mutate?.(
      {
        operation: 'CREATE',
        type,
        subresource: '',
        namespace: type.namespaced ? 'default' : undefined,
        name: metadata['name'] as string,
        object: draft,
        old: undefined,
        options: {},
        dryRun: false,
        user: { username: 'admin', groups: [] },
        warn: () => undefined,
      },
      context,
    );
  }
  metadata['uid'] = context.uuid();
  metadata['creationTimestamp'] = created;
  if (!type.strategy.noGeneration) metadata['generation'] = 1;
  type.strategy.prepareForCreate?.(draft, context);
  return draft;
}

describe('what the real server makes of an object, ours makes of it too', () => {
  for (const file of readdirSync(folder).filter((name) => name !== 'refusals.json')) {
    const golden = JSON.parse(readFileSync(new URL(file, folder), 'utf8')) as Golden;
    const type = kindOf(golden.input);

    test(`${file}: the defaults`, async () => {
      const draft = await create(type, golden.input);
      expect(masked(draft as Parameters<typeof masked>[0])).toEqual(golden.output);
    });

    test(`${file}: nothing is wrong with it`, async () => {
      const draft = (await create(type, golden.input)) as JsonObject;
      expect(type.strategy.validate?.(draft, context) ?? []).toEqual([]);
    });

    test(`${file}: defaulting twice changes nothing more`, async () => {
      const draft = await create(type, golden.input);
      const again = cloneJson(draft);
      type.strategy.applyDefaults?.(again);
      expect(again).toEqual(draft);
    });

    test(`${file}: the cells of its row`, async () => {
      const draft = await create(type, golden.input);
      if (golden.status !== undefined) {
        draft['status'] = golden.status;
        type.strategy.applyDefaults?.(draft);
      }
      const cells = type.table.cells(draft as StoredObject, Date.parse(created) + 1000);
      expect(cells.map(maskedCell)).toEqual(golden.cells.map(maskedCell));
      expect(cells).toHaveLength(type.table.columns.length);
    });
  }
});

/** Ages and what was allocated by chance. */
function maskedCell(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  if (/^(?:\d+[smhdy])+$/.test(cell) || cell === 'AGE' || /^\d{4}-\d\d-/.test(cell)) return 'AGE';
  return cell
    .replaceAll(/10\.96\.\d+\.\d+/g, 'CLUSTER-IP')
    .replaceAll(/:3\d{4}\//g, ':NODE-PORT/')
    .replaceAll(/controller-uid=[0-9a-f-]+/g, 'controller-uid=UID');
}
