// openapi.json, made from the table of routes. The committed file is held to this by a test.
import { z } from "zod";
import { NDJSON_TYPE } from "./client/import-stream.ts";
import { EVENT_STREAM } from "./client/server-sent-events.ts";
import { IMPORT_PATH } from "./paths.ts";
import { PROBLEM_TYPE } from "./problem.ts";
import { type Route, routes } from "./routes.ts";
import { IMPORT_LINES, importLine, importResult } from "./schemas/import.ts";
import { problemSchema } from "./schemas/problem.ts";
import { shapeOf } from "./schemas/verbatim.ts";

type Json = Record<string, unknown>;

export function openApiDocument(version: string): Json {
  const schemas: Json = {};
  const ref = (schema: z.ZodType, io: "input" | "output") => jsonSchema(schema, io, schemas);
  const paths: Record<string, Json> = {};
  for (const [name, route] of Object.entries<Route>(routes)) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operation(name, route, ref) };
  }
  paths[IMPORT_PATH] = { post: importOperation(ref) };
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
  const { summary, params, query, body, bodyOptional, response } = route;
  const parameters = [
    ...(params === undefined ? [] : parametersIn("path", ref(params, "input"))),
    ...(query === undefined ? [] : parametersIn("query", ref(query, "input"))),
  ];
  return {
    operationId,
    summary,
    ...(parameters.length > 0 && { parameters }),
    ...(body && {
      requestBody: { required: bodyOptional !== true, ...content("application/json", ref(body, "input")) },
    }),
    responses: {
      "200": {
        description: "Done.",
        content: { ...content("application/json", ref(response, "output")).content, ...events(route) },
      },
      default: { description: "A problem (RFC 9457).", ...content(PROBLEM_TYPE, ref(problemSchema, "output")) },
    },
  };
}

function importOperation(ref: Ref): Json {
  return {
    operationId: "importMemories",
    summary: `Store up to ${IMPORT_LINES} facts, one a line, and stream a result line for each. Read while you write.`,
    requestBody: { required: true, ...content(NDJSON_TYPE, ref(importLine, "input")) },
    responses: {
      "200": { description: "One line for each fact.", ...content(NDJSON_TYPE, ref(importResult, "output")) },
      default: { description: "A problem (RFC 9457).", ...content(PROBLEM_TYPE, ref(problemSchema, "output")) },
    },
  };
}

const content = (mediaType: string, schema: Json) => ({ content: { [mediaType]: { schema } } });

function events({ streams }: Route): Json {
  const description =
    "Events: `token` with `{text}` for each piece, then one `answer` with what the JSON answer holds. `restart`: forget the pieces so far. `problem`: there will be no answer.";
  return streams === true ? content(EVENT_STREAM, { type: "string", description }).content : {};
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
  const {
    $schema: _,
    $defs,
    ...own
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: "any",
    override({ zodSchema, jsonSchema: made }) {
      const shape = shapeOf(zodSchema);
      if (shape !== undefined) Object.assign(made, jsonSchema(shape, io, shared));
    },
  }) as Json;
  const rewritten = (value: unknown) =>
    JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', '"#/components/schemas/'));
  Object.assign(shared, rewritten($defs ?? {}));
  return rewritten(own);
}
