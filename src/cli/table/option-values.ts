// What options make of their texts.
import type { Metadata } from "#core/memory.ts";

/** The command line is not right. The message says what to write. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export const COUNT = {
  read(text: string, option: string): number {
    const count = /^\d{1,12}$/.test(text) ? Number(text) : 0;
    if (count >= 1) return count;
    throw new UsageError(`${option} takes a whole number, at least 1.`);
  },
} as const;

const TIME = /^(\d{4}-\d\d-\d\d)(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/;

/**
 * A day, which begins at midnight UTC, or a time with its zone. Undefined for everything else: `Date` alone also takes
 * 31 February, American dates, a year alone, and times without a zone.
 */
export function parseTime(text: string): Date | undefined {
  const day = TIME.exec(text)?.[1];
  if (day === undefined || Number.isNaN(Date.parse(text))) return undefined;
  return new Date(day).toISOString().startsWith(day) ? new Date(text) : undefined;
}

const timeWhen = (what: string, isTaken: (time: Date) => boolean) => ({
  read(text: string, option: string): string {
    const time = parseTime(text);
    if (time !== undefined && isTaken(time)) return time.toISOString();
    throw new UsageError(`${option} takes ${what}.`);
  },
});

export const ANY_TIME = timeWhen("a day or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z", () => true);
export const PAST_TIME = timeWhen(
  "a time in the past, such as 2026-01-01 or 2026-01-01T12:00:00Z",
  (time) => time <= new Date(),
);
export const FUTURE_TIME = timeWhen("a time in the future, such as 2031-01-01T00:00:00Z", (time) => time > new Date());

/** `name=value`, each a text, or what JSON reads as a number or a boolean. */
export const METADATA = {
  multiple: true,
  read(given: readonly string[]): Metadata {
    const members = given.map((text): [string, Metadata[string]] => {
      const at = text.indexOf("=");
      if (at < 1) throw new UsageError("--metadata takes a name and a value: topic=food.");
      const value = text.slice(at + 1);
      return [text.slice(0, at), /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value) ? JSON.parse(value) : value];
    });
    return Object.fromEntries(members);
  },
} as const;

/** A flag that the API takes as a text in the query. */
export const IN_QUERY = { read: () => "true" as const };
