import { lifetimeOf } from './key-pair.ts';

const dayMs = 86_400_000;

/** When there must be a new certificate, in ms since 1970. A short life is not spent with renewals: a third of it at most. */
export function renewalOf(certificate: string, renewBeforeDays: number | undefined): number | undefined {
  const lifetime = lifetimeOf(certificate);
  if (!lifetime || renewBeforeDays === undefined) return undefined;
  const { fromMs, untilMs } = lifetime;
  return untilMs - Math.min(renewBeforeDays * dayMs, (untilMs - fromMs) / 3);
}
