import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { contributors, targets } from '../../packages/cloudflare/src/catalog.ts';
import type { AnyContributor } from '../../packages/cloudflare/src/engine/l2-controllers/contributor.ts';
import type { AnyTarget } from '../../packages/cloudflare/src/engine/l5-sync/target.ts';
import { reachOf } from './import-graph.ts';

const source = join(import.meta.dirname, '../../packages/cloudflare/src');
const callsFile = join(source, 'wire/target-calls.json');

export type KindRow = {
  readonly kind: string;
  readonly scope: string;
  readonly targets: readonly string[];
  readonly dependencies: readonly string[];
};

export type TargetRow = {
  readonly type: string;
  readonly sources: string;
  readonly end: string;
  readonly calls: readonly string[];
};

/** What each kind asks for and refers to, from what its modules import. */
export function kindRows(): readonly KindRow[] {
  return contributors.map(toKindRow).toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
}

/** What becomes of each target, and the calls that it makes as the simulator has seen them. */
export function targetRows(): readonly TargetRow[] {
  const calls = readCalls();
  return targets
    .map((target) => ({
      type: target.contract.type,
      sources: target.contract.sources,
      end: endOf(target),
      calls: calls[target.contract.type] ?? [],
    }))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

export function generateKindsPage(): readonly (readonly [path: string, text: string])[] {
  return [['docs/kinds.md', toPage()]];
}

function toKindRow({ kind }: AnyContributor): KindRow {
  const folder = folderOf(kind.kind);
  const { imports, texts } = reachOf(
    source,
    `kinds/${folder}/contribute.ts`,
    (path) => path.startsWith('refs/') || path.startsWith(`kinds/${folder}/`),
  );
  const types = new Map<string, string>(targets.map(({ contract }) => [contract.type.toLowerCase(), contract.type]));
  const asked = imports
    .filter(({ path }) => path.endsWith('/contract.ts'))
    .flatMap(({ names }) => names)
    .map((name) => types.get(name.replace(/Contract$/, '').toLowerCase()))
    .filter((type) => type !== undefined);
  const referred = imports
    .flatMap(({ names }) => names)
    .filter((name) => name.endsWith('Kind'))
    .map((name) => name.replace(/Kind$/, '').toLowerCase());
  // Secrets are asked for one by one and not as a kind.
  const secrets = texts.some((text) => text.includes('refs.secret(')) ? ['secret'] : [];
  return {
    kind: kind.kind,
    scope: kind.scope,
    targets: unique(asked),
    dependencies: unique(
      [...referred, ...secrets].map((name) => known.get(name) ?? '').filter((name) => !['', kind.kind].includes(name)),
    ),
  };
}

const builtins = [
  'Secret',
  'Service',
  'Node',
  'Deployment',
  'Namespace',
  'IngressClass',
  'ConfigMap',
  'ReferenceGrant',
];
const known = new Map(
  [...contributors.map(({ kind }) => kind.kind), ...builtins].map((name) => [name.toLowerCase(), name]),
);

function folderOf(kind: string): string {
  const names = contributorFolders();
  const found = names.find((name) => name.replaceAll('-', '') === kind.toLowerCase());
  if (found === undefined) throw new RangeError(`${kind} has no folder`);
  return found;
}

function contributorFolders(): readonly string[] {
  const text = readFileSync(join(source, 'catalog.ts'), 'utf8');
  return [...text.matchAll(/'\.\/kinds\/([a-z0-9-]+)\/contribute\.ts'/g)].map(([, name = '']) => name);
}

type GivesUp = { readonly giveUp: (facts: { readonly key: object; readonly created: boolean }) => string };

/** The one target whose deletion has a name of its own at Cloudflare. */
const ownWords: Readonly<Record<string, string>> = { OriginCACertificate: 'revoked' };
const words: Readonly<Record<string, string>> = {
  delete: 'deleted',
  retain: 'kept',
  clear: 'our part is taken out, the rest stays',
};

function endOf(target: AnyTarget): string {
  const { giveUp } = target as unknown as GivesUp;
  const [made, found] = [true, false].map((created) => giveUp({ key: {}, created }));
  const end = ownWords[target.contract.type] ?? words[made ?? ''] ?? '';
  return made === found ? end : `${end} if we made it, else ${words[found ?? ''] ?? ''}`;
}

function readCalls(): Readonly<Record<string, readonly string[]>> {
  if (!existsSync(callsFile)) return {};
  return (
    JSON.parse(readFileSync(callsFile, 'utf8')) as { readonly calls: Readonly<Record<string, readonly string[]>> }
  ).calls;
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)].toSorted();
}

function toPage(): string {
  const kinds = kindRows().map(({ kind, scope, targets: asked, dependencies }) => [
    kind,
    scope === 'Cluster' ? 'cluster' : 'namespace',
    asked.join(', ') || 'none: only Kubernetes objects',
    dependencies.join(', ') || 'nothing',
  ]);
  const ends = targetRows().map(({ type, sources, end, calls }) => [
    type,
    sources === 'many' ? 'many together' : 'one, the first',
    end,
    calls.map((call) => `\`${call}\``).join('<br>'),
  ]);
  return [
    '<!-- Generated by tools/generate/kinds-page.ts. Do not edit. -->',
    '',
    '# The kinds of the Cloudflare operator',
    '',
    'What an object of a kind may ask for (its targets, each a type of CloudflareSyncState), and the kinds that it may refer',
    'to, its own children included. Both are read from what its modules import.',
    '',
    ...table(['kind', 'scope', 'targets', 'refers to'], kinds),
    '',
    '## Targets',
    '',
    'Whose wish counts where several objects ask for the same, what becomes of the object at Cloudflare when nobody asks for',
    'it any more (the annotation `cloudflare-operator.io/deletion-policy: Orphan` keeps it), and the calls that are made, as',
    'the simulator has seen them while objects of all kinds were made, changed and deleted.',
    '',
    ...table(['target', 'sources', 'in the end', 'API calls'], ends),
    '',
  ].join('\n');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  const all = [head, ...rows];
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rows.map(line)];
}
