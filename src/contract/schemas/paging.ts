// Lists come in pages: `limit` and `cursor` in the query, `nextCursor` in the reply.
import { z } from "zod";
import { cursor as anyCursor, MOST_LISTED } from "./scalars.ts";

/** Query parameters come as text. JavaScript would also take `0x10`, `1e2` and `""` for numbers; people do not. */
const wholeNumber = (text: unknown): unknown => (typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text);

/** The patterns of cursors allow no more. */
const LONGEST_CURSOR = 64;

/** A page of a list whose cursors look like `cursor`. */
export const pageBy = (cursor: RegExp) =>
  z.object({
    limit: z.preprocess(wholeNumber, z.int().min(1).max(MOST_LISTED)).optional().describe("How many a page has."),
    cursor: z
      .string()
      .regex(cursor, "is not a cursor that this service gave")
      .meta({ maxLength: LONGEST_CURSOR })
      .optional()
      .describe("`nextCursor` of the page before."),
  });

export const page = pageBy(/^[1-9]\d{0,15}$/);

export const nextCursor = anyCursor.optional().describe("Absent on the last page.");

export const nextCursorOfSearch = anyCursor
  .optional()
  .describe("Absent on the last page. A page with filters may be short, even empty, and not the last.");
