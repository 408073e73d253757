import { toAllocateParams } from './allocate-params.ts';
import { without } from './eip-world.ts';
import type { EipWorld } from './eip-world.ts';
import type { EipIntent, EipMemory } from './memory.ts';
import { eipKind } from './resource.ts';
import type { EipObject, EipSpec } from './resource.ts';
import type { EipPlan } from './eip-plan.ts';
import { ownerTagCount } from './owner-tags.ts';
import { stuck, underWay } from './report.ts';
import type { Report } from './report.ts';

/** How long the provider remembers a token is not documented; beyond this the mark on the address is asked first. */
export const tokenTrustMs = 300_000;

/** Filters by tag may lag behind: so long after the intent an address without a mark is not there. */
const doubtMs = 120_000;

const maxTags = 20;

/** No address yet: find the one that a lost answer left behind, or allocate one. Never guess, never allocate twice. */
export function planCreation(world: EipWorld, memory: EipMemory | undefined): EipPlan {
  const { object, marked, markedIsFresh, refused, nowMs } = world;
  const meanwhile = underWay('Creating', 'an address is being allocated', 5000);
  if (marked === undefined) return { steps: [{ do: 'find-marked' }], meanwhile };
  const [first, ...others] = marked;
  if (first && others.length > 0)
    return {
      steps: [],
      report: ambiguous(
        object,
        marked.map(({ id }) => id),
      ),
    };
  if (first) {
    const found: EipMemory = { ownership: 'created', ...(memory && without(memory, 'intent')), allocationID: first.id };
    return { steps: [{ do: 'remember', memory: found }], meanwhile };
  }

  const intent = memory?.intent;
  const isSpent = intent === undefined || intent.token === refused?.token;
  const isOld = intent !== undefined && nowMs - intent.atMs > tokenTrustMs;
  // A refusal after a call without an answer does not prove that the first one came to nothing.
  if (!markedIsFresh && intent !== undefined && (isSpent || isOld))
    return { steps: [{ do: 'find-marked' }], meanwhile };
  if (!isSpent) return { steps: [{ do: 'allocate', intent }], meanwhile };

  if (intent !== undefined && refused?.inDoubt === true && nowMs - intent.atMs < doubtMs) {
    const message = 'an earlier call had no answer: its address is looked for before another is allocated';
    return { steps: [], report: underWay('Creating', message, 20_000) };
  }

  const problem = problemOf(object.spec);
  if (problem !== undefined) return { steps: [], report: stuck('InvalidConfig', problem) };
  return { steps: [{ do: 'remember', memory: intend(world) }], meanwhile };
}

/** What cannot be allocated, in words. The API server checks most of it too, unless its CRD is an older one. */
function problemOf(spec: EipSpec): string | undefined {
  const checked = eipKind.parseSpec(spec);
  if (!checked.ok) return checked.message;
  if (spec.instanceChargeType === 'PrePaid') {
    return 'a PrePaid address is an order with a term, which an EIP cannot express: buy it and set spec.allocationID';
  }
  const room = maxTags - ownerTagCount;
  if (Object.keys(spec.tags ?? {}).length > room) {
    return `an address has at most ${maxTags} tags, and the operator needs ${ownerTagCount} of them: at most ${room} in spec.tags`;
  }
  return undefined;
}

function intend({ object, settings, nextToken, nowMs }: EipWorld): EipMemory {
  const intent: EipIntent = { token: nextToken, params: toAllocateParams(object, settings), atMs: nowMs };
  const tagKeys = Object.keys(object.spec.tags ?? {});
  return { ownership: 'created', intent, ...(tagKeys.length > 0 && { tagKeys }) };
}

function ambiguous({ metadata }: EipObject, ids: readonly string[]): Report {
  const message = `several addresses carry the mark of this object: ${ids.join(', ')}; release all but one, or take the mark (tag uid ${metadata.uid}) off them`;
  return stuck('Ambiguous', message, 300_000);
}
