// Every write passes here: it leaves `metadata.managedFields` as kube-apiserver would.
import { ApiError, badRequest } from '../registry/api-error.ts';
import { cloneJson } from '../registry/clone-json.ts';
import type { Draft, JsonObject, StoredObject } from '../registry/json.ts';
import { sameJson } from '../registry/same-json.ts';
import { applyConfig } from './apply-config.ts';
import type { Applied, ApplyRequest } from './apply-config.ts';
import { conflictError } from './conflict-error.ts';
import type { FieldScope } from './field-scope.ts';
import { TypedValueError } from './item-element.ts';
import { conflictsBeyondLastApplied, updateLastApplied, upgradingManager } from './last-applied.ts';
import type { ManagedFieldsEntry, Managers } from './managed-entries.ts';
import { decodeManagers, entriesOf, toEntries, toManagers } from './managed-entries.ts';
import { asMap } from './merge-type.ts';
import { trackUpdate } from './track-update.ts';
import { FieldConflicts } from './update-managers.ts';
import { checkTyped } from './validate-typed.ts';

type Writer = { readonly manager: string; readonly time: string };

/** Records who made an object, or changed it to what the draft is now. A promise only where versions differ. */
export function recordWrite(
  scope: FieldScope,
  live: StoredObject | undefined,
  draft: Draft,
  writer: Writer,
): void | Promise<void> {
  const metadata = draft['metadata'] as Draft;
  const given = metadata['managedFields'];
  delete metadata['managedFields'];
  const managers = startingManagers(scope, live, given);
  // An object whose managers were all removed stays without, until somebody applies.
  if (managers.size === 0 && live !== undefined) return;
  const before = new Map(managers);
  const finish = (): void => {
    // Two entries of one name, as a write to a Scale can leave them, become one at the next write.
    const kept = entriesOf(live)?.length === before.size && isSame(before, managers) && !isTaken(live, given);
    const entries = kept ? entriesOf(live) : toEntries(managers);
    if (entries !== undefined) metadata['managedFields'] = entries;
  };
  try {
    const pending = trackUpdate(scope, live ?? scope.empty, draft, managers, writer);
    if (pending !== undefined) return pending.then(finish).catch(giveUp);
    finish();
  } catch (error) {
    giveUp(error);
  }
}

/** What cannot be tracked is not tracked: the write itself goes on. */
function giveUp(error: unknown): void {
  if (!(error instanceof TypedValueError)) throw error;
}

/** Whether the client sent entries of its own that count instead of the stored ones. */
function isTaken(live: StoredObject | undefined, given: unknown): boolean {
  return given !== undefined && !sameJson(given, entriesOf(live));
}

function isSame(before: Managers, after: Managers): boolean {
  if (before.size !== after.size) return false;
  for (const [identity, manager] of before) if (after.get(identity) !== manager) return false;
  return true;
}

function startingManagers({ subresource }: FieldScope, live: StoredObject | undefined, given: unknown): Managers {
  if (subresource === '' && Array.isArray(given) && isTaken(live, given)) {
    if (given.length === 0 || (given.length === 1 && sameJson(given[0], {}))) return new Map();
    const managers = readable(decodeManagers, given as readonly ManagedFieldsEntry[]);
    if (managers.size > 0) return managers;
  }
  return readable(toManagers, entriesOf(live) ?? []);
}

function readable(
  read: (entries: readonly ManagedFieldsEntry[]) => Managers,
  entries: readonly ManagedFieldsEntry[],
): Managers {
  try {
    return read(entries);
  } catch {
    return new Map();
  }
}

/** The object with a configuration applied to it, and its managers. Refuses by throwing an ApiError. */
export async function applyPatch(
  scope: FieldScope,
  live: StoredObject | undefined,
  config: Draft,
  request: ApplyRequest,
): Promise<Draft> {
  checkKind(scope, config);
  const { managedFields: _entries, ...liveMetadata } = (live?.metadata ?? {}) as JsonObject;
  const object: Draft = live === undefined ? (scope.empty as Draft) : { ...live, metadata: liveMetadata };
  const managers = toManagers(entriesOf(live) ?? []);
  if (managers.size === 0) {
    await trackUpdate(scope, scope.empty, object, managers, { manager: 'before-first-apply', time: request.time });
  }
  checkConfig(scope, config, object);
  const applied = await applyOrUpgrade(scope, object, config, managers, request);
  const result = cloneJson(applied.object ?? object);
  if (request.manager === upgradingManager) updateLastApplied(result, config);
  const entries = toEntries(applied.managers);
  const metadata = (result['metadata'] ??= {}) as Draft;
  if (entries !== undefined) metadata['managedFields'] = entries;
  return result;
}

async function applyOrUpgrade(
  scope: FieldScope,
  object: Draft,
  config: Draft,
  managers: Managers,
  request: ApplyRequest,
): Promise<Applied> {
  try {
    return await applyConfig(scope, object, config, managers, request);
  } catch (error) {
    if (error instanceof TypedValueError) throw new ApiError(500, '', error.message);
    if (!(error instanceof FieldConflicts)) throw error;
    const upgrades = request.manager === upgradingManager;
    const beyond = upgrades ? conflictsBeyondLastApplied(scope, object, error.conflicts) : undefined;
    if (beyond?.length !== 0) throw conflictError(beyond ?? error.conflicts);
    return applyConfig(scope, object, config, managers, { ...request, force: true });
  }
}

export function checkKind({ apiVersion, kind }: FieldScope, config: Draft): void {
  const given = [config['apiVersion'], config['kind']].map((part) => (typeof part === 'string' ? part : ''));
  if (given[0] !== apiVersion || given[1] !== kind) throw badRequest(`invalid object type: ${kindText(given)}`);
}

function kindText([apiVersion = '', kind = '']: readonly string[]): string {
  const [version = '', group = '', ...more] = apiVersion.split('/').toReversed();
  return more.length > 0 ? '/, Kind=' : `${group}/${version}, Kind=${kind}`;
}

function checkConfig(scope: FieldScope, config: Draft, live: Draft): void {
  const metadata = asMap(config['metadata']) ?? {};
  if (metadata['managedFields'] !== undefined && metadata['managedFields'] !== null) {
    throw badRequest('metadata.managedFields must be nil');
  }
  for (const [what, object, allowRepeats] of [
    ['patch', config, false],
    ['live', live, true],
  ] as const) {
    try {
      checkTyped(object, scope.type, allowRepeats);
    } catch (error) {
      if (!(error instanceof TypedValueError)) throw error;
      throw new ApiError(
        500,
        '',
        `failed to create typed ${what} object (${objectText(scope, object)}): ${error.message}`,
      );
    }
  }
}

function objectText({ apiVersion, kind }: FieldScope, object: Draft): string {
  const { namespace = '', name = '' } = (asMap(object['metadata']) ?? {}) as { namespace?: string; name?: string };
  return `${namespace}/${name}; ${kindText([apiVersion, kind])}`;
}
