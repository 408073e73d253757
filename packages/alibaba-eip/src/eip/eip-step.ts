import type { AttributeChanges } from '../provider/eip-calls.ts';
import type { EipIntent, EipMemory } from './memory.ts';

/** One thing to do. The plan says which, `perform-step.ts` does it. */
export type EipStep =
  /** Look at the address of this id, now. */
  | { readonly do: 'observe'; readonly id: string }
  /** Look for addresses that carry the mark of this object. */
  | { readonly do: 'find-marked' }
  /** One conditional write: memory, our finalizer, and the id into the spec where that is wanted. */
  | {
      readonly do: 'remember';
      readonly memory: EipMemory;
      readonly specAllocationID?: string;
      readonly event?: 'Adopted';
    }
  /** Allocate, and store the id in the status at once. */
  | { readonly do: 'allocate'; readonly intent: EipIntent }
  | { readonly do: 'store-id'; readonly id: string }
  | { readonly do: 'modify'; readonly id: string; readonly changes: AttributeChanges }
  | { readonly do: 'move-resource-group'; readonly id: string; readonly resourceGroupId: string }
  | { readonly do: 'join-package'; readonly id: string; readonly packageId: string }
  | { readonly do: 'leave-package'; readonly id: string; readonly packageId: string }
  | { readonly do: 'tag'; readonly id: string; readonly tags: Readonly<Record<string, string>> }
  | { readonly do: 'untag'; readonly id: string; readonly keys: readonly string[] }
  | { readonly do: 'release'; readonly id: string }
  /** The object may go: say so in the status, then take the finalizer away. */
  | { readonly do: 'let-go'; readonly event: 'Released' | 'AlreadyReleased' | 'Skipped'; readonly message: string };
