import type { Claim } from '../contract/claim.ts';
import { isUsableClaim } from './usable-copy.ts';

/** What is known of one V object and its copy at one place in P. */
export type CopyFacts = {
  /** `released`: it is being deleted, or its binding is. */
  readonly virtual: 'absent' | 'live' | 'released';
  /** V's object carries our finalizer, label or annotations. */
  readonly held: boolean;
  /** ... all of them, as they should be. */
  readonly stamped: boolean;
  /** A pod of this binding, or what such a pod needs, names it. */
  readonly demanded: boolean;
  /** What nobody needs any more is given up instead of kept. */
  readonly collect: boolean;
  readonly physical: { readonly claim: Claim; readonly matches: boolean; readonly terminating: boolean } | undefined;
};

export type CopyStep =
  | { readonly do: 'nothing' }
  /** Tells V that it has a copy here: the finalizer first, so that the copy is never forgotten. */
  | { readonly do: 'stamp' }
  | { readonly do: 'create' }
  | { readonly do: 'update' }
  /** The copy is of the right V object and lacks our mark: the original made it, or another binding uses it, too. */
  | { readonly do: 'mark' }
  | { readonly do: 'delete' }
  /** Another binding still uses the copy: our mark goes, the copy stays. */
  | { readonly do: 'unmark' }
  /** The finalizer and what goes with it is taken from V. */
  | { readonly do: 'release' }
  | { readonly do: 'wait' }
  | { readonly do: 'report'; readonly problem: 'conflict' | 'orphan' };

const nothing: CopyStep = { do: 'nothing' };

/** One step; the shell takes it and asks again. */
export function decideCopy(facts: CopyFacts): CopyStep {
  switch (facts.virtual) {
    case 'absent':
      return decideOrphan(facts);
    case 'released':
      return decideRelease(facts);
    case 'live':
      if (facts.demanded) return decideLive(facts);
      if (!facts.held) return nothing;
      return facts.collect ? decideRelease(facts) : decideLive(facts);
    default:
      return facts.virtual satisfies never;
  }
}

function decideOrphan({ physical }: CopyFacts): CopyStep {
  if (!physical?.matches || physical.terminating) return nothing;
  if (physical.claim.of === 'us') return { do: physical.claim.shared ? 'unmark' : 'delete' };
  return physical.claim.of === 'unmarked' ? { do: 'report', problem: 'orphan' } : nothing;
}

/** What is not ours never keeps V's object from going. */
function decideRelease({ physical, held }: CopyFacts): CopyStep {
  if (!held) return nothing;
  if (!physical?.matches || physical.terminating) return { do: 'release' };
  switch (physical.claim.of) {
    case 'us':
      return { do: physical.claim.shared ? 'unmark' : 'delete' };
    case 'unmarked':
      return { do: 'mark' };
    case 'sibling':
    case 'stranger':
    case 'nobody':
      return { do: 'release' };
    default:
      return physical.claim satisfies never;
  }
}

function decideLive({ physical, stamped }: CopyFacts): CopyStep {
  if (physical && !isUsable(physical)) return { do: 'report', problem: 'conflict' };
  if (!stamped) return { do: 'stamp' };
  if (!physical) return { do: 'create' };
  // It is going, for whatever reason; when it is gone it is made anew.
  if (physical.terminating) return { do: 'wait' };
  return { do: physical.claim.of === 'us' ? 'update' : 'mark' };
}

function isUsable({ claim, matches }: NonNullable<CopyFacts['physical']>): boolean {
  return matches && isUsableClaim(claim);
}
