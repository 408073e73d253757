/** One line of a log: what to search by, then what to read. */
export type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The part of a logger that the runtime needs. A pino logger is one. An error goes into the field `err`. */
export type Log = {
  readonly debug: LogLine;
  readonly info: LogLine;
  readonly warn: LogLine;
  readonly error: LogLine;
  /** A logger that puts these fields on every line. */
  readonly child: (fields: Readonly<Record<string, unknown>>) => Log;
};

const ignoreLine: LogLine = () => undefined;

export const silentLog: Log = {
  debug: ignoreLine,
  info: ignoreLine,
  warn: ignoreLine,
  error: ignoreLine,
  child: () => silentLog,
};
