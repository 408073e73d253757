/** Of one name there may be a bucket in every jurisdiction: each call says which is meant. */
export function atJurisdiction({
  accountId,
  jurisdiction,
}: {
  readonly accountId: string;
  readonly jurisdiction: string;
}): { readonly account_id: string; readonly 'cf-r2-jurisdiction': 'default' } {
  // The SDK lists the jurisdictions of its day.
  return { account_id: accountId, 'cf-r2-jurisdiction': jurisdiction as 'default' };
}
