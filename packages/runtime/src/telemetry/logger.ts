import { destination as fileDestination, pino } from 'pino';
import { systemClock } from '../clock.ts';
import type { Clock } from '../clock.ts';
import type { Log, LogLine } from '../log.ts';
import { createRedact, redactText } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export type LoggerOptions = {
  readonly level?: LogLevel;
  /** Further names of fields whose value is a secret. */
  readonly redact?: readonly string[];
  /** Standard output when absent. */
  readonly destination?: { readonly write: (line: string) => void };
  /** On every line. */
  readonly fields?: Readonly<Record<string, unknown>>;
};

/** What we use of pino. */
type PinoLogger = {
  readonly isLevelEnabled: (level: string) => boolean;
  readonly child: (bindings: object) => PinoLogger;
} & { readonly [L in Exclude<LogLevel, 'silent'>]: (fields: object, message: string) => void };

/**
 * A logger that writes one line of JSON at once, so that nothing is lost when the process dies. Whatever is given
 * to it is made safe first, see `redact.ts`.
 */
export function createLogger(
  options: LoggerOptions = {},
  { clock = systemClock }: { readonly clock?: Pick<Clock, 'now'> } = {},
): Log {
  const redact = createRedact(options.redact);
  const base = pino(
    {
      level: options.level ?? 'info',
      base: null,
      timestamp: () => `,"time":"${new Date(clock.now()).toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
      // Errors are plain fields by then.
      serializers: { err: (value: unknown) => value },
    },
    options.destination ?? fileDestination({ dest: 1, sync: true }),
  );
  const log = wrap(base, redact);
  return options.fields ? log.child(options.fields) : log;
}

function wrap(logger: PinoLogger, redact: (value: unknown) => unknown): Log {
  const line =
    (level: Exclude<LogLevel, 'silent'>): LogLine =>
    (fields, message) => {
      if (logger.isLevelEnabled(level)) logger[level](redact(fields) as object, redactText(message));
    };
  return {
    debug: line('debug'),
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    child: (fields) => wrap(logger.child(redact(fields) as object), redact),
  };
}
