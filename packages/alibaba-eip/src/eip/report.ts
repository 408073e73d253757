/** What an object's conditions are to say. A condition that is left out stays as it is. */
export type Report = {
  readonly ready: ConditionSays;
  readonly synced?: ConditionSays;
  readonly progressing?: ConditionSays;
  /** Look again after so long; absent: when something changes. */
  readonly recheckMs?: number;
};

export type ConditionSays = {
  readonly status: 'True' | 'False';
  readonly reason: Reason;
  readonly message: string;
};

/** Those of the original first, then ours. */
export type Reason =
  | 'Available'
  | 'Synced'
  | 'Creating'
  | 'Created'
  | 'Updating'
  | 'Updated'
  | 'Deleting'
  | 'Deleted'
  | 'SyncFailed'
  | 'InvalidConfig'
  | 'Throttled'
  | 'Adopted'
  | 'AddressGone'
  | 'AddressLocked'
  | 'Conflict'
  | 'Ambiguous';

/** Nothing left to do. */
export function inSync(message: string, last: 'Created' | 'Updated' | 'Adopted', synced: string): Report {
  return {
    ready: yes('Available', message),
    synced: yes('Synced', synced),
    progressing: no(last, 'nothing is under way'),
  };
}

/** Under way at the provider, and not done yet. */
export function underWay(reason: 'Creating' | 'Updating' | 'Deleting', message: string, recheckMs: number): Report {
  return { ready: no(reason, message), progressing: yes(reason, message), recheckMs };
}

/** Not before somebody changes something. */
export function stuck(reason: Reason, message: string, recheckMs?: number): Report {
  return { ready: no(reason, message), synced: no(reason, message), ...(recheckMs !== undefined && { recheckMs }) };
}

/** The object is to go and cannot yet; `progressing` says that it is still on its way. */
export function deletionStuck(reason: Reason, message: string, recheckMs: number): Report {
  return {
    ready: no('Deleting', message),
    synced: no(reason, message),
    progressing: yes('Deleting', message),
    recheckMs,
  };
}

export function yes(reason: Reason, message: string): ConditionSays {
  return { status: 'True', reason, message };
}

export function no(reason: Reason, message: string): ConditionSays {
  return { status: 'False', reason, message };
}

/** No deletion hangs for ever: this is how it is waived. */
export const waysOut = 'set spec.releaseStrategy to Never to let this object go without it';
