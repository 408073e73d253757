import type { EipStep } from './eip-step.ts';
import type { Report } from './report.ts';

/** What to do next, in order; when there is nothing to do, what to say about it. */
export type EipPlan =
  | {
      readonly steps: readonly [EipStep, ...EipStep[]];
      /** What to say when these very steps were done a moment ago and the provider does not show it yet. */
      readonly meanwhile: Report;
    }
  | { readonly steps: readonly []; readonly report: Report };
