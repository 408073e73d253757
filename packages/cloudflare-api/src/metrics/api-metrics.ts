import type { Priority } from '../budget/priority.ts';
import type { ErrorClass } from '../errors/error-class.ts';
import type { Family } from '../errors/family.ts';

export type CallMeasure = {
  readonly family: Family;
  readonly method: string;
  /** 0 when no answer came. */
  readonly status: number;
  readonly class: ErrorClass | 'ok' | 'aborted';
  /** Without the time spent waiting for the budget. */
  readonly durationMs: number;
};

export type BudgetMeasure = {
  readonly credentialId: string;
  readonly remaining: number;
  readonly quota: number;
  readonly pausedForMs: number;
};

/** Where measurements go. */
export type ApiMetrics = {
  readonly call: (measure: CallMeasure) => void;
  readonly waited: (measure: { readonly priority: Priority; readonly waitedMs: number }) => void;
  readonly budget: (measure: BudgetMeasure) => void;
  /** The credential is no longer used. */
  readonly forget: (credentialId: string) => void;
};

const ignore = (): void => undefined;

export const noMetrics: ApiMetrics = { call: ignore, waited: ignore, budget: ignore, forget: ignore };
