/** An error as a log line shows it. What else an error carries, such as the body of an answer, may hold secrets. */
export type ErrorFields = {
  readonly type: string;
  readonly message: string;
  readonly code?: string | number;
  readonly status?: number;
  readonly reason?: string;
  readonly stack?: string;
  readonly cause?: unknown;
  readonly errors?: readonly unknown[];
};

/** A chain of causes may be a ring. */
const mostCauses = 8;

export function toErrorFields(error: Error, depth = 0): ErrorFields {
  const { code, status, reason } = error as { code?: unknown; status?: unknown; reason?: unknown };
  const inner = (value: unknown): unknown => {
    if (!(value instanceof Error)) return value;
    return depth < mostCauses ? toErrorFields(value, depth + 1) : value.message;
  };
  return {
    type: error.name,
    message: error.message,
    ...((typeof code === 'string' || typeof code === 'number') && { code }),
    ...(typeof status === 'number' && { status }),
    ...(typeof reason === 'string' && { reason }),
    ...(error.stack !== undefined && { stack: error.stack }),
    ...(error.cause !== undefined && { cause: inner(error.cause) }),
    ...(error instanceof AggregateError && { errors: error.errors.map(inner) }),
  };
}
