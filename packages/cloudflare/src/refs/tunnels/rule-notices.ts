import type { Notice, View } from '../../engine/l2-controllers/contributor.ts';
import { sourceId } from '../../engine/l4-state/source.ts';

/** What a source of rules has to tell: what failed, what was not understood, and what went to another object. */
export function ruleNotices(annotationProblems: readonly string[], view: View): readonly Notice[] {
  return [
    ...(view.state === 'Error' ? [warning(view.ready.reason, view.ready.message)] : []),
    ...annotationProblems.map((problem) => warning('InvalidAnnotation', problem)),
    ...view.losses.map(({ what, winner, reason }) =>
      warning('RuleConflict', `${what} goes to ${sourceId(winner)}: ${reason}`),
    ),
  ];
}

export function warning(reason: string, message: string): Notice {
  return { type: 'Warning', reason, message };
}
