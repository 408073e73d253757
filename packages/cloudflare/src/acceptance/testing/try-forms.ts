import type { AnyCustomKind, KubeClient, KubeObject } from '@tributary/runtime';
import { dryRun } from './dry-run.ts';
import type { Form, Refusal } from './manifest-tables.ts';

type Server = { readonly client: Pick<KubeClient, 'create'>; readonly kinds: readonly AnyCustomKind[] };

/** The forms that the server does not take as they are, and why. */
export async function notTaken({ client, kinds }: Server, forms: readonly Form[]): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const { title, manifest } of forms) {
    const verdict = await dryRun(client, kinds, manifest);
    if (!verdict.ok) complaints.push(`${title}: ${verdict.message}`);
    else if (!holds(bodyOf(verdict.stored), bodyOf(manifest))) complaints.push(`${title}: not all of it is stored`);
  }
  return complaints;
}

/** The forms that the server takes, or refuses with other words. */
export async function notRefused({ client, kinds }: Server, forms: readonly Refusal[]): Promise<readonly string[]> {
  const complaints: string[] = [];
  for (const { title, manifest, says } of forms) {
    const verdict = await dryRun(client, kinds, manifest);
    if (verdict.ok) complaints.push(`${title}: is taken`);
    else if (!verdict.message.includes(says)) complaints.push(`${title}: ${verdict.message}, not ${says}`);
  }
  return complaints;
}

function bodyOf(object: KubeObject): object {
  return { ...object, metadata: {} };
}

/** Whether everything that was given is there; what is there besides are defaults, and what is empty may go. */
function holds(stored: unknown, given: unknown): boolean {
  if (stored === undefined) return isEmpty(given);
  if (typeof given !== 'object' || given === null) return stored === given;
  if (Array.isArray(given)) {
    return (
      Array.isArray(stored) && stored.length === given.length && given.every((item, at) => holds(stored[at], item))
    );
  }
  const map = stored as Readonly<Record<string, unknown>>;
  return Object.entries(given).every(([key, value]) => holds(map[key], value));
}

function isEmpty(value: unknown): boolean {
  return value === '' || (typeof value === 'object' && Object.values(value ?? {}).every(isEmpty));
}
