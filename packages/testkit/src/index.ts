export { createSimulatedClock } from './simulated-clock.ts';
export type { SimulatedClock, SimulatedClockOptions } from './simulated-clock.ts';
