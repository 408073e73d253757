// What the simulators share.

export { createFaultPlan } from './create-fault-plan.ts';
export type { ArmedFault, FaultPlan } from './create-fault-plan.ts';
export { createInProcessFetch } from './create-in-process-fetch.ts';
export type { Fetch } from './create-in-process-fetch.ts';
export { createJournal } from './create-journal.ts';
export type { Journal } from './create-journal.ts';
export { listen } from './listen.ts';
export type { Listening } from './listen.ts';
export { serve } from './serve.ts';
export type { TlsOptions } from './serve.ts';
export type { WireHandler, WireRequest, WireResponse } from './wire.ts';
