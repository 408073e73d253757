import type { Clock } from '@tributary/runtime/clock';
import type { AdmissionAttributes, AdmissionPlugin, Annotate, UserInfo } from '../registry/admission.ts';
import type { JsonObject } from '../registry/json.ts';
import type { SchemaRules } from '../registry/object-rules.ts';
import type { Registry } from '../registry/registry.ts';
import type { HookContext, ResourceType } from '../registry/resource-type.ts';
import type { Store } from '../storage/store.ts';

/** What every verb needs. */
export type RestDeps = {
  readonly store: Store;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly random: () => number;
  readonly hooks: HookContext;
  readonly schema: SchemaRules;
  readonly admission: readonly AdmissionPlugin[];
};

export type FieldValidation = 'Strict' | 'Warn' | 'Ignore';

/** Which object a write is meant for. The name is empty on a create of a collection. */
export type WriteTarget = {
  readonly type: ResourceType;
  readonly namespace: string | undefined;
  readonly name: string;
  readonly subresource: string;
};

/** How a write was asked for. */
export type WriteContext = {
  readonly dryRun: boolean;
  readonly fieldManager: string;
  /** The draft comes with its managedFields, or the server writes on its own account: nothing more is recorded. */
  readonly untracked?: boolean;
  readonly fieldValidation: FieldValidation;
  readonly user: UserInfo;
  /** The options as the caller gave them, for webhooks to see. */
  readonly asked?: JsonObject;
  /** Text for the Warning header. */
  readonly warn: (text: string) => void;
  /** Notes for the audit log, where there is one. */
  readonly annotate?: Annotate | undefined;
};

export async function admit(
  deps: RestDeps,
  phase: 'mutate' | 'validate',
  attributes: AdmissionAttributes,
): Promise<void> {
  await admitOnce(deps, phase, attributes);
  if (phase === 'validate' || !deps.admission.some((plugin) => plugin.asksForSecondRound?.(attributes))) return;
  await admitOnce(deps, phase, attributes);
}

async function admitOnce(deps: RestDeps, phase: 'mutate' | 'validate', attributes: AdmissionAttributes): Promise<void> {
  for (const plugin of deps.admission) {
    // Most plugins have nothing to wait for, and an await per plugin is what a write would spend its time on.
    const pending = plugin[phase]?.(attributes, deps.hooks);
    if (pending !== undefined) await pending;
  }
}
