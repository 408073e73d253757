import type { View } from '../engine/l2-controllers/contributor.ts';

/** `status.state` of kinds that call it so. What has once been active stays so while a change is on its way. */
export function activeState({ state, losses }: Pick<View, 'state' | 'losses'>, before: string | undefined): string {
  if (state === 'Error' || losses.length > 0) return 'error';
  return state === 'Synced' || before === 'active' ? 'active' : 'pending';
}
