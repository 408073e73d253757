// When a ResourceLeasingPolicy lends its nodes. The rules are those that users of the original wrote their windows for: both
// ends belong to the window, and the weekday is always the one of the moment itself, also after midnight.

export type TimeWindow = {
  readonly start: string;
  readonly end: string;
  readonly days?: readonly string[] | undefined;
};

const minuteMs = 60_000;
const clockTime = /^([01]\d|2[0-3]):[0-5]\d$/;
const weekdays = new Set(['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']);

/** No window at all means always. A window that cannot be read never opens. */
export function isActive(windows: readonly TimeWindow[], nowMs: number, timeZone: string): boolean {
  if (windows.length === 0) return true;
  const { time, weekday } = localMinute(nowMs, timeZone);
  return windows.some((window) => isOpen(window, time, weekday));
}

/**
 * When the answer of `isActive` changes next, looking at most a day ahead: the first minute with another answer, or the end of
 * that day. Never in the past, so it can be booked as it is.
 */
export function nextChangeMs(windows: readonly TimeWindow[], nowMs: number, timeZone: string): number | undefined {
  if (windows.length === 0) return undefined;
  const now = isActive(windows, nowMs, timeZone);
  const nextMinuteMs = (Math.floor(nowMs / minuteMs) + 1) * minuteMs;
  const lastMs = nextMinuteMs + 24 * 60 * minuteMs;
  for (let atMs = nextMinuteMs; atMs < lastMs; atMs += minuteMs) {
    if (isActive(windows, atMs, timeZone) !== now) return atMs;
  }
  return lastMs;
}

/** What is wrong with the windows, one sentence each. */
export function windowProblems(windows: readonly TimeWindow[]): readonly string[] {
  return windows.flatMap(({ start, end, days = [] }, index) => {
    const where = `timeWindows[${index}]`;
    const times = (['start', 'end'] as const).filter((field) => !clockTime.test({ start, end }[field]));
    const unknown = days.filter((day) => !weekdays.has(day.toLowerCase()));
    return [
      ...times.map((field) => `${where}.${field} is not a time of day as in 08:30`),
      ...unknown.map((day) => `${where}.days: ${JSON.stringify(day)} is no weekday`),
    ];
  });
}

export function isTimeZone(timeZone: string): boolean {
  try {
    formatterFor(timeZone);
    return true;
  } catch {
    return false;
  }
}

function isOpen({ start, end, days = [] }: TimeWindow, time: string, weekday: string): boolean {
  if (!clockTime.test(start) || !clockTime.test(end)) return false;
  if (days.length > 0 && !days.some((day) => day.toLowerCase() === weekday)) return false;
  return end < start ? time >= start || time <= end : time >= start && time <= end;
}

// Making a formatter costs a hundred times as much as using one.
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(timeZone: string): Intl.DateTimeFormat {
  let formatter = formatters.get(timeZone);
  if (!formatter) {
    const parts = { weekday: 'long', hour: '2-digit', minute: '2-digit' } as const;
    formatter = new Intl.DateTimeFormat('en-GB', { ...parts, hourCycle: 'h23', timeZone });
    formatters.set(timeZone, formatter);
  }
  return formatter;
}

function localMinute(nowMs: number, timeZone: string): { readonly time: string; readonly weekday: string } {
  const parts = new Map(
    formatterFor(timeZone)
      .formatToParts(nowMs)
      .map(({ type, value }) => [type, value]),
  );
  return {
    time: `${parts.get('hour')}:${parts.get('minute')}`,
    weekday: (parts.get('weekday') ?? '').toLowerCase(),
  };
}
