// A range of times in the page's address: the last hour, day or week, or two times that the reader chose.
const MINUTE_MS = 60_000;
const LENGTHS = { hour: 60 * MINUTE_MS, day: 24 * 60 * MINUTE_MS, week: 7 * 24 * 60 * MINUTE_MS } as const;

type Named = keyof typeof LENGTHS;

const RANGES = ["hour", "day", "week", "custom"] as const satisfies readonly (Named | "custom")[];

/** To be spread into the filters of a page. */
export const TIME_FILTERS = { range: { values: RANGES }, from: {}, to: {} } as const;

export interface TimeValues {
  readonly range?: (typeof RANGES)[number];
  /** Only with a custom range. */
  readonly from?: string;
  readonly to?: string;
}

/** The times that the service is asked for. What is not a time is left out. */
export function timesOf({ range, from, to }: TimeValues, now = Date.now()): { from?: string; to?: string } {
  if (range === undefined) return {};
  if (range !== "custom") return { from: new Date(now - LENGTHS[range]).toISOString() };
  const [start, end] = [isoOf(from), isoOf(to)];
  return { ...(start !== undefined && { from: start }), ...(end !== undefined && { to: end }) };
}

/** A time as ISO 8601 in UTC, from any text that names one. */
export function isoOf(text: string | undefined): string | undefined {
  const ms = msOf(text);
  return ms === undefined ? undefined : new Date(ms).toISOString();
}

/** For `<input type="datetime-local">`: the minute in the reader's time zone, or empty. */
export function localMinute(iso: string | undefined): string {
  const ms = msOf(iso);
  if (ms === undefined) return "";
  return new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** Other years have no four digits, which is what the service takes. An address may name them. */
const [FIRST_MS, LAST_MS] = [Date.parse("0000-01-02T00:00Z"), Date.parse("9999-12-30T00:00Z")];

function msOf(text: string | undefined): number | undefined {
  const ms = text === undefined ? Number.NaN : Date.parse(text);
  return ms >= FIRST_MS && ms <= LAST_MS ? ms : undefined;
}
