import { AsyncLocalStorage } from 'node:async_hooks';
import type { AnyCustomKind } from '@tributary/runtime';
import { targets } from '../../catalog.ts';
import type { AnyTarget } from '../../engine/l5-sync/target.ts';
import { commonValues } from './fixture.ts';
import type { Fixture } from './fixture.ts';
import { propertiesOf } from './properties.ts';
import { toRounds } from './rounds.ts';
import { validityOf } from './run-kind.ts';
import { openScene } from './scene.ts';
import { schemaOf } from './schema-of.ts';

/** The calls of each target, `POST /accounts/:account/cfd_tunnel`, while objects of a kind are made, changed and deleted. */
export async function measureCalls(
  kind: AnyCustomKind,
  fixture: Fixture,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const calls = new Map<string, Set<string>>();
  const current = new AsyncLocalStorage<string>();
  const scene = await openScene(kind, fixture, {
    targets: targets.map((target) => watched(target, current)),
    onCall: (method, path) => {
      const target = current.getStore();
      // Files that are fetched from elsewhere are no calls to Cloudflare.
      if (target === undefined || !path.startsWith('/')) return;
      const known = calls.get(target) ?? new Set();
      calls.set(target, known.add(`${method} ${toPattern(path)}`));
    },
  });
  try {
    const { schema } = schemaOf(kind);
    for (const base of fixture.bases) {
      const properties = propertiesOf(schema).filter(({ leaf, name }) => leaf && fixture.leave?.[name] === undefined);
      const known = { ...commonValues, ...fixture.values };
      const [round] = toRounds({ bases: [base], properties, schema, known, isValid: validityOf(kind) });
      await scene.declare(base);
      for (const fields of round ? [round.first, round.second, base] : []) await scene.declare(fields);
      for (const property of properties.filter(({ path }) => path[0] !== 'cloudflare').slice(0, singles)) {
        const [alone] = toRounds({ bases: [base], properties: [property], schema, known, isValid: validityOf(kind) });
        if (alone) await scene.declare(alone.second);
      }
    }
    await scene.remove();
  } finally {
    await scene.world.stop();
  }
  return calls;
}

/** What changes alone may take another call than what changes together; so many are tried. */
const singles = 12;

/** The target as it is, with its name on all that it does. */
function watched(target: AnyTarget, current: AsyncLocalStorage<string>): AnyTarget {
  const wrap = (value: unknown): unknown => {
    if (typeof value === 'function') {
      const run = value as (...given: readonly unknown[]) => unknown;
      return (...given: readonly unknown[]) => current.run(target.contract.type, () => run(...given));
    }
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrap(inner)]));
  };
  const { contract, ...rest } = target;
  return { ...(wrap(rest) as AnyTarget), contract };
}

/** Without what names single objects: ids, names and networks of the run. */
function toPattern(path: string): string {
  const steps = path.split('/');
  return steps
    .map((part, index) => (isName(part, steps[index - 1] ?? '') ? `:${nouns[steps[index - 1] ?? ''] ?? 'id'}` : part))
    .join('/');
}

const nouns: Readonly<Record<string, string>> = { accounts: 'account', zones: 'zone' };

/** Collections whose members are known by names of people's choice, not by ids. */
const named: ReadonlySet<string> = new Set(['buckets', 'projects', 'domains', 'custom', 'registrations', 'policy']);

/** What may stand in such a place and is no name. */
const parts: ReadonlySet<string> = new Set(['custom', 'managed', 'include', 'exclude', 'fallback_domains']);

function isName(part: string, before: string): boolean {
  if (/^[0-9a-f]{32}$|^[0-9a-f]{8}-[0-9a-f-]{27}$|^\d{10,}$/.test(part)) return true;
  return before === 'certificates' || (named.has(before) && !parts.has(part));
}
