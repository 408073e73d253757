export type LookTimes = {
  /** How long until the first look; one minute when absent. */
  readonly firstMs?: number;
  /** How long between looks in the end; one hour when absent. */
  readonly mostMs?: number;
};

/**
 * When to look next at what Cloudflare takes its time with and tells nobody when it is done: soon at first, then after
 * twice as long each time up to a limit. The same however often it is asked meanwhile; never where nothing is waited for.
 */
export function nextLookAt(
  since: number | undefined,
  now: number,
  { firstMs = 60_000, mostMs = 60 * 60_000 }: LookTimes = {},
): number | undefined {
  if (since === undefined) return undefined;
  const waitedMs = now - since;
  if (waitedMs >= mostMs) return since + (Math.floor(waitedMs / mostMs) + 1) * mostMs;
  const steps = waitedMs < firstMs ? 0 : Math.floor(Math.log2(waitedMs / firstMs)) + 1;
  return since + Math.min(firstMs * 2 ** steps, mostMs);
}
