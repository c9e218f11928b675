// One operation of openapi.json, made from its row of the route table.
import { EVENT_STREAM_TYPE, NDJSON_TYPE } from "#contract/media-types.ts";
import type { Route } from "#contract/routes.ts";
import { type OperationExample, operationExample } from "./examples.ts";
import { IDEMPOTENCY_KEY, LAST_EVENT_ID } from "./headers.ts";
import type { Json, ToJsonSchema } from "./json-schema.ts";
import { problemCodesOf } from "./problem-codes.ts";
import { problemResponses } from "./problem-responses.ts";
import { callersOf, securityOf } from "./security.ts";
import { answerEvents, eventFeed, lines } from "./streams.ts";
import { tagOf } from "./tags.ts";

export interface Components {
  readonly schemas: Json;
  readonly responses: Json;
  readonly toJsonSchema: ToJsonSchema;
}

export function operation(operationId: string, route: Route, components: Components): Json {
  const { toJsonSchema } = components;
  const example = operationExample(operationId);
  const parameters = parametersOf(route, toJsonSchema, example);
  const requestBody = requestBodyOf(route, toJsonSchema, example);
  return {
    operationId,
    tags: [tagOf(operationId)],
    summary: route.summary,
    description: callersOf(route),
    security: securityOf(route),
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

const media = (mediaType: string, schema: Json, example?: unknown): Json => ({
  [mediaType]: { schema, ...(example !== undefined && { example }) },
});

function parametersOf(route: Route, toJsonSchema: ToJsonSchema, example: OperationExample | undefined): Json[] {
  const { params, query, idempotent, streams } = route;
  return [
    ...(params === undefined ? [] : parametersIn("path", toJsonSchema(params, "input"), example?.params)),
    ...(query === undefined ? [] : parametersIn("query", toJsonSchema(query, "input"), example?.query)),
    ...(idempotent === undefined ? [] : [IDEMPOTENCY_KEY]),
    ...(streams === "events" ? [LAST_EVENT_ID] : []),
  ];
}

function parametersIn(place: "path" | "query", { properties }: Json, examples: Json = {}): Json[] {
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    ...(place === "path" && { required: true }),
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
  const { response, streams, mediaType = route.ndjson && NDJSON_TYPE } = route;
  const reply = example?.reply;
  if (streams === "events") return media(EVENT_STREAM_TYPE, eventFeed(response, toJsonSchema), reply);
  const schema = toJsonSchema(response, "output");
  if (mediaType === NDJSON_TYPE) return media(NDJSON_TYPE, lines(schema), reply);
  return {
    ...media(mediaType ?? "application/json", schema, reply),
    ...(streams === "answer" &&
      media(EVENT_STREAM_TYPE, answerEvents(response, toJsonSchema), example?.others?.[EVENT_STREAM_TYPE])),
    ...(route.lines !== undefined &&
      media(NDJSON_TYPE, lines(toJsonSchema(route.lines, "output")), example?.others?.[NDJSON_TYPE])),
  };
}

function headersOf(operationId: string, { limit }: Route): Json {
  const names = [
    "X-Request-Id",
    ...(limit === "never" ? [] : ["RateLimit-Policy", "RateLimit"]),
    ...(operationId === "signIn" || operationId === "signOut" ? ["Set-Cookie"] : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
