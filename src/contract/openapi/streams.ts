// Bodies that are read piece by piece: lines of JSON, and server-sent events. OpenAPI 3.1 has no word for them (3.2 has
// `itemSchema`), and a schema of one piece would make a generated client parse the whole body as that piece. So the body
// is a text, which such a client leaves alone or hands out as a stream, and `contentSchema` says what the pieces are.
import { z } from "zod";
import { EVENT_STREAM_TYPE, NDJSON_TYPE } from "#contract/media-types.ts";
import { gateEvent } from "#contract/schemas/gate-event.ts";
import { problemSchema } from "#contract/schemas/problem.ts";
import type { Json, ToJsonSchema } from "./json-schema.ts";

const stream = (contentMediaType: string, items: Json, description: string): Json => ({
  type: "string",
  contentMediaType,
  contentSchema: { type: "array", items },
  description,
});

export const lines = (line: Json): Json => stream(NDJSON_TYPE, line, "One JSON object a line.");

/** An event as a parser of event streams gives it: `data` is still text. */
const event = (name: Json, data: Json, id?: Json): Json => ({
  type: "object",
  properties: {
    ...(id !== undefined && { id }),
    event: name,
    data: { type: "string", contentMediaType: "application/json", contentSchema: data },
  },
  required: [...(id === undefined ? [] : ["id"]), "event", "data"],
});

/** The feed of events. `each` describes an event with its id, name and data. */
export function eventFeed(each: z.ZodType, toJsonSchema: ToJsonSchema): Json {
  const { id, name, data } = (each as z.ZodObject).shape as Record<"id" | "name" | "data", z.ZodType>;
  const of = (schema: z.ZodType) => toJsonSchema(schema, "output");
  return stream(
    EVENT_STREAM_TYPE,
    event(of(name), of(data), of(id)),
    "Server-sent events without an end. A comment comes every 15 seconds.",
  );
}

/** An answer while it is made. `whole` is what the JSON reply holds. */
export function answerEvents(whole: z.ZodType, toJsonSchema: ToJsonSchema): Json {
  const of = (schema: z.ZodType) => toJsonSchema(schema, "output");
  const named = (name: string, data: Json) => event({ type: "string", const: name }, data);
  const oneOf = [
    named("gate", of(gateEvent)),
    named("token", of(z.object({ text: z.string().max(LONGEST_PIECE) }))),
    named("restart", of(z.object({}))),
    named("answer", of(whole)),
    named("problem", of(problemSchema)),
  ];
  return stream(
    EVENT_STREAM_TYPE,
    { oneOf },
    "Events: `gate` with what passed the gate and what is closed, before the model is asked; a later one takes its place. `token` with `{text}` for each piece, then one `answer` with what the JSON answer holds. `restart`: forget all so far. `problem`: there will be no answer.",
  );
}

/** A piece of an answer is no longer than an answer. */
const LONGEST_PIECE = 1_000_000;
