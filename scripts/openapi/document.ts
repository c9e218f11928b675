// openapi.json, made from the table of routes. A test compares the committed file with it. OpenAPI 3.1 is what today's
// generators, linters and viewers read; few read 3.2.
import { z } from "zod";
import { EVENT_STREAM_TYPE, NDJSON_TYPE } from "#contract/media-types.ts";
import { type Route, routes } from "#contract/routes.ts";
import { gateEvent } from "#contract/rows/answers.ts";
import { problemSchema } from "#contract/schemas/problem.ts";
import * as described from "./descriptions.ts";
import { type OperationExample, operationExample } from "./examples.ts";
import { type Json, jsonSchemasInto, type ToJsonSchema } from "./json-schema.ts";
import { problemCodesOf, problemResponses } from "./problems.ts";

/** For a document that is read from a file: nobody knows where the reader's service is. */
const SERVER_OF_THE_READER: Json = {
  url: "{origin}",
  description: "Your service.",
  variables: {
    origin: { default: "http://localhost:3000", description: "Where it listens, with the base path if it has one." },
  },
};

export function openApiDocument(version: string, table: Readonly<Record<string, Route>> = routes): Json {
  const schemas: Json = {};
  const responses: Json = {};
  const components = { schemas, responses, toJsonSchema: jsonSchemasInto(schemas) };
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(table)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route, components) };
    if (route.streamPath !== undefined) paths[route.streamPath] = { post: streamOperation(name, route, components) };
  }
  return {
    openapi: "3.1.1",
    info: {
      title: "Portcullis",
      version,
      description:
        "Gated memory for AI agents: the gate decides before a model sees anything, and answers have receipts.\n\nErrors are problems (RFC 9457) with a stable `code`. Each response lists the codes that its route can give. Replies may have further fields, and problems further codes, in a later version.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [SERVER_OF_THE_READER],
    tags: described.TAGS,
    paths,
    components: {
      securitySchemes: described.SECURITY_SCHEMES,
      headers: described.RESPONSE_HEADERS,
      responses,
      schemas,
    },
  };
}

// One operation of openapi.json, made from its row of the route table.

interface Components {
  readonly schemas: Json;
  readonly responses: Json;
  readonly toJsonSchema: ToJsonSchema;
}

function operation(operationId: string, route: Route, components: Components): Json {
  const { toJsonSchema } = components;
  const example = operationExample(operationId);
  const parameters = parametersOf(route, toJsonSchema, example);
  const requestBody = requestBodyOf(route, toJsonSchema, example);
  return {
    operationId,
    tags: [described.tagOf(operationId)],
    summary: route.summary,
    description: described.callersOf(route),
    security: described.securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(requestBody !== undefined && { requestBody }),
    responses: {
      "200": {
        description: route.ndjson === undefined ? "Done." : "One line for each line of the body.",
        headers: headersOf(operationId, route),
        content: contentOf(route, toJsonSchema, example),
      },
      ...problemResponses(problemCodesOf(route), components),
    },
  };
}

/** The same request, and events in place of the JSON: with one operation for both, generators would mix them. */
function streamOperation(name: string, route: Route, components: Components): Json {
  const whole = operation(name, route, components);
  const example = operationExample(name)?.others?.[EVENT_STREAM_TYPE];
  const content = media(EVENT_STREAM_TYPE, answerEvents(route.response, components.toJsonSchema), example);
  const responses = whole.responses as Record<string, Json>;
  return {
    ...whole,
    operationId: `${name}Stream`,
    summary: `${route.summary} As events, while it is made.`,
    description: `${whole.description} The same as ${route.path} with \`Accept: ${EVENT_STREAM_TYPE}\`.`,
    responses: { ...responses, "200": { ...responses["200"], content } },
  };
}

const media = (mediaType: string, schema: Json, example?: unknown): Json => ({
  [mediaType]: { schema, ...(example !== undefined && { example }) },
});

function parametersOf(route: Route, toJsonSchema: ToJsonSchema, example: OperationExample | undefined): Json[] {
  const { params, query, idempotent, minimal, streams } = route;
  return [
    ...(params === undefined ? [] : parametersIn("path", toJsonSchema(params, "input"), example?.params)),
    ...(query === undefined ? [] : parametersIn("query", toJsonSchema(query, "input"), example?.query)),
    ...(idempotent === undefined ? [] : [described.IDEMPOTENCY_KEY]),
    ...(minimal === undefined ? [] : [described.PREFER]),
    ...(streams === "events" ? [described.LAST_EVENT_ID] : []),
  ];
}

function parametersIn(place: "path" | "query", { properties }: Json, examples: Json = {}): Json[] {
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    ...(place === "path" && { required: true }),
    ...(schema.type === "object" && { style: "deepObject", explode: true }),
    description,
    schema,
    ...(Object.hasOwn(examples, name) && { example: examples[name] }),
  }));
}

function requestBodyOf(
  { body, bodyOptional, ndjson, rawBody }: Route,
  toJsonSchema: ToJsonSchema,
  example: OperationExample | undefined,
): Json | undefined {
  if (rawBody !== undefined)
    return {
      required: true,
      content: media(rawBody.mediaType, lines(toJsonSchema(rawBody.line, "input")), example?.body),
    };
  if (body === undefined) return undefined;
  const schema = toJsonSchema(body, "input");
  const content =
    ndjson === undefined
      ? media("application/json", schema, example?.body)
      : media(NDJSON_TYPE, lines(schema), example?.body);
  return { required: bodyOptional !== true, content };
}

function contentOf(route: Route, toJsonSchema: ToJsonSchema, example: OperationExample | undefined): Json {
  const { response, minimal, streams, mediaType = route.ndjson && NDJSON_TYPE } = route;
  const reply = example?.reply;
  if (streams === "events") return media(EVENT_STREAM_TYPE, eventFeed(response, toJsonSchema), reply);
  const whole = toJsonSchema(response, "output");
  const schema = minimal === undefined ? whole : { anyOf: [whole, toJsonSchema(minimal, "output")] };
  if (mediaType === NDJSON_TYPE) return media(NDJSON_TYPE, lines(schema), reply);
  return {
    ...media(mediaType ?? "application/json", schema, reply),
    ...(route.lines !== undefined &&
      media(NDJSON_TYPE, lines(toJsonSchema(route.lines, "output")), example?.others?.[NDJSON_TYPE])),
  };
}

function headersOf(operationId: string, { limit, minimal }: Route): Json {
  const names = [
    "X-Request-Id",
    ...(limit === "never" ? [] : ["RateLimit-Policy", "RateLimit"]),
    ...(minimal === undefined ? [] : ["Preference-Applied"]),
    ...(operationId === "signIn" || operationId === "signOut" ? ["Set-Cookie"] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

// Bodies that are read piece by piece: lines of JSON, and server-sent events. OpenAPI 3.1 has no word for them (3.2 has
// `itemSchema`), and a schema of one piece would make a generated client parse the whole body as that piece. So the body
// is a text, which such a client leaves alone or hands out as a stream, and `contentSchema` says what the pieces are.

const stream = (contentMediaType: string, items: Json, description: string): Json => ({
  type: "string",
  contentMediaType,
  contentSchema: { type: "array", items },
  description,
});

const lines = (line: Json): Json => stream(NDJSON_TYPE, line, "One JSON object a line.");

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
function eventFeed(each: z.ZodType, toJsonSchema: ToJsonSchema): Json {
  const { id, name, data } = (each as z.ZodObject).shape as Record<"id" | "name" | "data", z.ZodType>;
  const of = (schema: z.ZodType) => toJsonSchema(schema, "output");
  return stream(
    EVENT_STREAM_TYPE,
    event(of(name), of(data), of(id)),
    "Server-sent events without an end. A comment comes every 15 seconds.",
  );
}

/** An answer while it is made. `whole` is what the JSON reply holds. */
function answerEvents(whole: z.ZodType, toJsonSchema: ToJsonSchema): Json {
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
