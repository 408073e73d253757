import { chainedRefusal } from '../../api/api-error.ts';
import type { ApiError } from '../../api/api-error.ts';

/** A record that cannot be: the cause stands in the chain. */
export function invalidRecord(code: number, message: string): ApiError {
  return chainedRefusal(400, { code: 1004, message: 'DNS Validation Error' }, { code, message });
}
