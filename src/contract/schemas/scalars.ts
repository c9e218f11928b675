import { z } from "zod";
import { LIMITS } from "#core/encoding/text-validation.ts";

// Values of one piece in replies, with their bounds for openapi.json. The bounds of texts are notes for readers (`meta`):
// JSON Schema counts code points, and zod code units. They leave room: what a later version sends must still fit.

const upTo = (maxLength: number) => z.string().meta({ maxLength });

export const matching = (pattern: RegExp, fault: string, maxLength: number) =>
  z.string().regex(pattern, fault).meta({ maxLength });

/** What is said only when it is so. */
export const whenTrue = z.literal(true).exactOptional();

/** In a query, where everything is text. */
export const yesOrNo = z.enum(["true", "false"]).optional();

/** Of a memory, an answer, a key, a blob, an object or a transaction. */
export const id = upTo(256);
/** Of an agent, a namespace or a caller. */
export const name = upTo(1_000);
/** The short name of a thing of the ledger, the model or the service. */
export const label = upTo(500);
/** A hash in hex or base58. */
export const digest = upTo(128);
export const content = upTo(LIMITS.content).describe("The fact.");
export const sentence = upTo(2_000);
export const url = upTo(2_000);
const cursor = upTo(200);
/** The version of an object, or a number of 64 bits. */
export const decimal = upTo(20);
export const signatureValue = upTo(1_000);
/** BCS of an object or a transaction of the ledger. */
export const base64 = upTo(1_000_000);
export const instant = z.iso.datetime().meta({ maxLength: 35 });

export const count = z.int().min(0);
/** The version of a policy. It only grows. */
export const version = z.int().min(0);
/** Milliseconds since 1970. */
export const milliseconds = z.int().min(0);
export const score = z.number().meta({ minimum: -1_000_000, maximum: 1_000_000 });

/** Pages have up to 1,000 entries, and so have lists of names in replies. */
export const MOST_LISTED = 1_000;
export const listed = <T extends z.ZodType>(element: T, maxItems = MOST_LISTED) => z.array(element).meta({ maxItems });
/** A list that comes in pieces has no bound of its own. This is that of numbers in most languages. */
export const streamed = <T extends z.ZodType>(element: T) => listed(element, 2_147_483_647);

/** An object that openapi.json describes once, under `id`, and refers to. */
export const component = <S extends z.ZodRawShape>(id: string, shape: S): z.ZodObject<S> =>
  z.object(shape).meta({ id });

// Lists come in pages: `limit` and `cursor` in the query, `nextCursor` in the reply.

/** Query parameters come as text. JavaScript would also take `0x10`, `1e2` and `""` for numbers; people do not. */
export const wholeNumber = (text: unknown): unknown =>
  typeof text === "string" && /^\d+$/.test(text) ? Number(text) : text;

/** The patterns of cursors allow no more. */
const LONGEST_CURSOR = 64;

/** A page of a list whose cursors look like `cursor`. */
export const pageBy = (cursor: RegExp) =>
  z.object({
    limit: z.preprocess(wholeNumber, z.int().min(1).max(MOST_LISTED)).optional().describe("How many a page has."),
    cursor: matching(cursor, "is not a cursor that this service gave", LONGEST_CURSOR)
      .optional()
      .describe("`nextCursor` of the page before."),
  });

export const page = pageBy(/^[1-9]\d{0,15}$/);

export const nextCursor = cursor.optional().describe("Absent on the last page.");

export const nextCursorOfSearch = cursor
  .optional()
  .describe("Absent on the last page. A page with filters may be short, even empty, and not the last.");
