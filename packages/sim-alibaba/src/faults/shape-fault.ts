import { failure, plain } from '../rpc/outcome.ts';
import type { Outcome } from '../rpc/outcome.ts';
import { RpcError } from '../rpc/rpc-error.ts';
import type { Fault } from './fault-rule.ts';

/** Faults that take the place of the answer. */
export type TerminalFault = Exclude<Fault, { readonly kind: 'latency' }>;

export type Injection = { readonly latencyMs: number; readonly terminal: TerminalFault | undefined };

/** Delays add up, of the faults that replace the answer the first one wins. */
export function toInjection(faults: readonly Fault[]): Injection {
  let latencyMs = 0;
  let terminal: TerminalFault | undefined;
  for (const fault of faults) {
    if (fault.kind === 'latency') latencyMs += fault.ms;
    else terminal ??= fault;
  }
  return { latencyMs, terminal };
}

export function isAfterEffect(fault: TerminalFault): boolean {
  return 'when' in fault && fault.when === 'after';
}

export function throttled(retryAfterMs: number | undefined, code = 'Throttling.User', status = 400): Outcome {
  return failure(new RpcError(status, code, 'Request was denied due to user flow control.', retryAfterMs));
}

const none = { status: 0, headers: {}, body: '', code: '', changed: false, replayed: false } as const;

export function shapeFault(fault: TerminalFault): Outcome {
  switch (fault.kind) {
    case 'throttled':
      return throttled(fault.retryAfterMs, fault.code, fault.status);
    case 'error':
      return failure(new RpcError(fault.status ?? 400, fault.code, fault.message ?? 'The request was refused.'));
    case 'server-error':
      return failure(
        new RpcError(fault.status ?? 500, fault.code ?? 'InternalError', 'The request processing has failed.'),
      );
    case 'html':
      return gatewayPage(fault.status ?? 502);
    case 'dropped':
      return { kind: 'dropped', ...none };
    case 'hang':
      return { kind: 'hung', ...none };
    case 'crash':
      return { kind: 'crashed', ...none };
    default:
      return fault satisfies never;
  }
}

function gatewayPage(status: number): Outcome {
  const body = `<html>\r\n<head><title>${status} Bad Gateway</title></head>\r\n<body>\r\n<center><h1>${status} Bad Gateway</h1></center>\r\n<hr><center>tengine</center>\r\n</body>\r\n</html>\r\n`;
  return plain(status, 'text/html', body);
}
