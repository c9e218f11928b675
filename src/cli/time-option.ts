import { z } from "zod";

/** What `Date` takes for granted is refused: 31 February, American dates, a year alone, and times without a zone. */
const time = z.iso.date().or(z.iso.datetime({ offset: true }));

/** A day, which begins at midnight UTC, or a time with its zone. Undefined for everything else. */
export function parseTime(text: string): Date | undefined {
  const { success } = time.safeParse(text);
  return success ? new Date(text) : undefined;
}
