import type { ApiErrorItem } from './api-error.ts';
import type { ResultInfo } from './page.ts';

export type Message = { readonly code: number; readonly message: string };

export function successBody(result: unknown, info?: ResultInfo, messages: readonly Message[] = []): string {
  return JSON.stringify({ result, success: true, errors: [], messages, ...(info && { result_info: info }) });
}

export function failureBody(errors: readonly ApiErrorItem[]): string {
  return JSON.stringify({ result: null, success: false, errors, messages: [] });
}
