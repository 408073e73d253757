const byItself = 'tried again by itself';
const nowAndThen = 'tried again now and then';

/** What comes after a failure of that reason, unless its message says so itself. */
const nexts: Readonly<Record<string, string>> = {
  SyncFailed: byItself,
  AlreadyExists: byItself,
  Conflict: byItself,
  InUse: byItself,
  NotFound: byItself,
  NotReady: byItself,
  RateLimited: 'tried again as soon as Cloudflare allows it',
  AuthFailed: `${nowAndThen}, and at once with other credentials`,
  PermissionDenied: nowAndThen,
  QuotaExceeded: nowAndThen,
  NotEntitled: nowAndThen,
  ValidationFailed: 'not tried again as it is',
};

/** A failure in the words of who reports it, and how it goes on: whether to wait, or to do something. */
export function withNext(message: string, reason: string | undefined): string {
  const next = nexts[reason ?? 'SyncFailed'];
  return next === undefined ? message : `${message}; ${next}`;
}
