// Lists come in pages: `limit` and `cursor` in the query, `nextCursor` in the reply.
import { z } from "zod";

const LONGEST_PAGE = 1_000;

/** Query parameters come as text. JavaScript would also take `0x10`, `1e2` and `""` for numbers; people do not. */
const wholeNumber = (text: unknown): unknown => (typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text);

/** A page of a list whose cursors look like `cursor`. */
export const pageBy = (cursor: RegExp) =>
  z.object({
    limit: z.preprocess(wholeNumber, z.int().min(1).max(LONGEST_PAGE)).optional().describe("How many a page has."),
    cursor: z
      .string()
      .regex(cursor, "is not a cursor that this service gave")
      .optional()
      .describe("`nextCursor` of the page before."),
  });

export const page = pageBy(/^[1-9]\d{0,15}$/);

export const nextCursor = z.string().optional().describe("Absent on the last page.");

export const nextCursorOfSearch = z
  .string()
  .optional()
  .describe("Absent on the last page. A page with filters may be short, even empty, and not the last.");
