import type { z } from "zod";
import type { NDJSON_TYPE } from "#contract/media-types.ts";

/** A row of the route table, without its path. */
export interface Row {
  readonly summary: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The body may be left out. */
  readonly bodyOptional?: true;
  /** How many bytes the body may have, in place of 64 KiB. */
  readonly bodyLimit?: number;
  readonly response: z.ZodType;
  /** Of the reply, in place of JSON. */
  readonly mediaType?: "text/plain" | typeof NDJSON_TYPE;
  /** The handler reads the body, which may be longer than the memory. */
  readonly rawBody?: typeof NDJSON_TYPE;
  /** Body and reply are NDJSON: `body` and `response` describe one line of them. */
  readonly ndjson?: { readonly maxLines: number };
  /**
   * Whether a call with this body must go through whatever the limits say. A row that has such calls is never refused
   * for overload, since its body is not read by then.
   */
  readonly isUrgent?: (body: unknown) => boolean;
  /**
   * The handler sends the reply itself. `answer`: behind the fence, as JSON or, with `Accept: text/event-stream`, as
   * events while it is made. `memories`: behind the fence, as JSON. `pieces`: one body in pieces, because it may be long.
   * `events`: server-sent events without an end, each with `id`, `event` and `data` as `response` says.
   * `reply`: JSON in one piece, with headers of its own, or behind the fence when the caller is an agent.
   */
  readonly streams?: "answer" | "memories" | "pieces" | "reply" | "events";
  /**
   * What it makes. A request with an Idempotency-Key makes it once. Every POST that makes something has this. An import
   * takes the header, and is idempotent by itself: a fact that is on record is not added again.
   */
  readonly idempotent?: "answer" | "memory" | "key" | "anchor" | "import";
}

export type Rows = Readonly<Record<string, Row>>;
