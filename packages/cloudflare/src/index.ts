export { syncStateKind } from './engine/l4-state/sync-state.ts';
