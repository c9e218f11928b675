// openapi.json, made from the table of routes. A test compares the committed file with it.
import { z } from "zod";
import { EVENT_STREAM_TYPE, NDJSON_TYPE, PROBLEM_TYPE } from "./media-types.ts";
import { type Route, routes } from "./routes.ts";
import { problemSchema } from "./schemas/problem.ts";
import { shapeOf } from "./schemas/validate.ts";

type Json = Record<string, unknown>;

export function openApiDocument(version: string, table: Readonly<Record<string, Route>> = routes): Json {
  const schemas: Json = {};
  const ref: Ref = (schema, io) => jsonSchema(schema, io, schemas);
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries(table)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route, ref) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Portcullis",
      version,
      description:
        "Gated memory for AI agents: the gate decides before a model sees anything, and answers have receipts.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    paths,
    components: { schemas },
  };
}

type Ref = (schema: z.ZodType, io: "input" | "output") => Json;

function operation(operationId: string, route: Route, ref: Ref): Json {
  const { summary, params, query, body, bodyOptional, response, ndjson, streams } = route;
  const mediaType = ndjson === undefined ? "application/json" : NDJSON_TYPE;
  const parameters = [
    ...(params === undefined ? [] : parametersIn("path", ref(params, "input"))),
    ...(query === undefined ? [] : parametersIn("query", ref(query, "input"))),
    ...(route.idempotent === undefined ? [] : [IDEMPOTENCY_KEY]),
  ];
  return {
    operationId,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: bodyOptional !== true, content: content(mediaType, ref(body, "input")) },
    }),
    ...(route.rawBody && {
      requestBody: { required: true, content: content(route.rawBody, { type: "string", format: "binary" }) },
    }),
    responses: {
      "200": {
        description: ndjson === undefined ? "Done." : "One line for each line of the body.",
        content:
          streams === "events"
            ? content(EVENT_STREAM_TYPE, ref(response, "output"))
            : { ...content(route.mediaType ?? mediaType, ref(response, "output")), ...events(route) },
      },
      default: { description: "A problem (RFC 9457).", content: content(PROBLEM_TYPE, ref(problemSchema, "output")) },
    },
  };
}

const IDEMPOTENCY_KEY: Json = {
  name: "Idempotency-Key",
  in: "header",
  description: "Chosen by the caller. A request that is repeated with it within a day is carried out once.",
  schema: { type: "string", minLength: 1, maxLength: 255, pattern: "^[!-~]+$" },
};

const content = (mediaType: string, schema: Json): Json => ({ [mediaType]: { schema } });

function events({ streams }: Route): Json {
  const description =
    "Events: `token` with `{text}` for each piece, then one `answer` with what the JSON answer holds. `restart`: forget the pieces so far. `problem`: there will be no answer.";
  return streams === "answer" ? content(EVENT_STREAM_TYPE, { type: "string", description }) : {};
}

function parametersIn(place: "path" | "query", { properties }: Json): Json[] {
  return Object.entries(properties as Record<string, Json>).map(([name, { description, ...schema }]) => ({
    name,
    in: place,
    ...(place === "path" && { required: true }),
    description,
    schema,
  }));
}

/** The JSON Schema of a zod schema. Schemas that have an id go to `shared` and are referred to. */
function jsonSchema(schema: z.ZodType, io: "input" | "output", shared: Json): Json {
  const made: Json = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override(context) {
      const shape = shapeOf(context.zodSchema);
      if (shape !== undefined) Object.assign(context.jsonSchema, jsonSchema(shape, io, shared));
    },
  });
  const { $schema: _, $defs = {}, ...own } = made;
  const rewritten = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
  Object.assign(shared, rewritten($defs));
  return rewritten(own);
}
