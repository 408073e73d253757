/** For tests: a call, and headers that hold what is given. */
import type { HeaderReader } from '../budget/rate-headers.ts';
import { familyOf } from '../errors/family.ts';
import type { Call } from '../pipeline/call.ts';

export function testCall(method: string, path: string, fields: Partial<Call> = {}): Call {
  return {
    method,
    url: `https://api.example/client/v4${path}`,
    path,
    family: familyOf(path),
    priority: 'change',
    headers: {},
    body: undefined,
    signals: [],
    timeoutMs: undefined,
    ...fields,
  };
}

export function testHeaders(values: Readonly<Record<string, string>> = {}): HeaderReader {
  return { get: (name) => values[name] ?? null };
}
