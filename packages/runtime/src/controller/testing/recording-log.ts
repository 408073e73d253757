import type { Log, LogLine } from '../../log.ts';

export type RecordedLine = { readonly level: string; readonly message: string } & Readonly<Record<string, unknown>>;

/** Keeps every line, with the fields of the loggers it came through. */
export function createRecordingLog(): { readonly log: Log; readonly lines: readonly RecordedLine[] } {
  const lines: RecordedLine[] = [];
  const at =
    (level: string, base: object): LogLine =>
    (fields, message) =>
      void lines.push({ ...base, ...fields, level, message });
  const create = (base: object): Log => ({
    debug: at('debug', base),
    info: at('info', base),
    warn: at('warn', base),
    error: at('error', base),
    child: (fields) => create({ ...base, ...fields }),
  });
  return { log: create({}), lines };
}
