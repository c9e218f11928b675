import type { z } from "zod";
import type { NDJSON_TYPE } from "#contract/media-types.ts";
import type { ErrorCode } from "#core/errors.ts";

export interface Row {
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** How many bytes the body may have, in place of 64 KiB. */
  readonly bodyLimit?: number;
  readonly response: z.ZodType;
  /** The reply with `Prefer: return=minimal`. */
  readonly minimal?: z.ZodType;
  /** Of the reply, in place of JSON. */
  readonly mediaType?: "text/plain" | typeof NDJSON_TYPE;
  /** The handler reads the body, lines of JSON, which may be longer than the memory. */
  readonly rawBody?: { readonly mediaType: typeof NDJSON_TYPE; readonly line: z.ZodType };
  /** With `Accept: application/x-ndjson` the reply is one of these a line. */
  readonly lines?: z.ZodType;
  /** Body and reply are NDJSON: `body` and `response` describe one line of them. */
  readonly ndjson?: { readonly maxLines: number };
  /** Whether a call with this body passes whatever the limits say. Overload never refuses a row that has such calls. */
  readonly isUrgent?: (body: unknown) => boolean;
  /** Takes memories away. Overload neither refuses nor delays it, and the limits count it. */
  readonly forgets?: true;
  // The handler sends the reply itself. `answer`: behind the fence, as JSON or as events while it is made. `memories` and
  // `learned`: behind the fence, as JSON. `completion`: the gateway's. `pieces`: one long body. `events`: without an end, each
  // as `response` says. `reply`: JSON with headers of its own, or behind the fence when the caller is an agent.
  readonly streams?: "answer" | "memories" | "learned" | "completion" | "pieces" | "reply" | "events";
  /** Codes of problems that it can give, beside those that follow from the rest of the row (openapi/problems.ts). */
  readonly problems?: readonly ErrorCode[];
}

export type Rows = Readonly<Record<string, Row>>;
