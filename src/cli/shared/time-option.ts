import { z } from "zod";
import { UsageError } from "#cli/usage-error.ts";

/** What `Date` takes for granted is refused: 31 February, American dates, a year alone, and times without a zone. */
const time = z.iso.date().or(z.iso.datetime({ offset: true }));

/** A day, which begins at midnight UTC, or a time with its zone. Undefined for everything else. */
export function parseTime(text: string): Date | undefined {
  const { success } = time.safeParse(text);
  return success ? new Date(text) : undefined;
}

export function timeOption(option: string, text: string): Date {
  const parsed = parseTime(text);
  if (parsed !== undefined) return parsed;
  throw new UsageError(`${option} takes a day or a time, such as 2026-01-31 or 2026-01-31T12:00:00Z.`);
}
