// Values of one piece in replies, with their bounds for openapi.json. The bounds of texts are notes for readers (`meta`):
// JSON Schema counts code points, and zod code units. They leave room: what a later version sends must still fit.
import { z } from "zod";
import { LIMITS } from "#core/encoding/text-validation.ts";

const upTo = (maxLength: number) => z.string().meta({ maxLength });

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
export const cursor = upTo(200);
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
export const listed = <T extends z.ZodType>(element: T) => z.array(element).meta({ maxItems: MOST_LISTED });
/** A list that comes in pieces has no bound of its own. This is that of numbers in most languages. */
export const streamed = <T extends z.ZodType>(element: T) => z.array(element).meta({ maxItems: 2_147_483_647 });
