/** Who calls, and what that credential may do. */
export type Principal = {
  /** Stands in the journal; never the secret itself. */
  readonly tokenId: string;
  readonly tokenStatus: 'active' | 'disabled' | 'expired';
  /** All credentials of one user share one budget; an account's own token has its own. */
  readonly owner: string;
  /** Set on tokens that belong to an account and not to a user. */
  readonly ownerAccountId?: string;
  readonly permissions: 'all' | ReadonlySet<string>;
  readonly accounts: 'all' | ReadonlySet<string>;
  readonly zones: 'all' | ReadonlySet<string>;
  readonly expiresOn?: string;
};

/** The owner at the dashboard: may do everything, is not counted and meets no faults. */
export const dashboard: Principal = {
  tokenId: 'dashboard',
  tokenStatus: 'active',
  owner: 'dashboard',
  permissions: 'all',
  accounts: 'all',
  zones: 'all',
};
