// openapi.json, made from the table of routes. A test compares the committed file with it. OpenAPI 3.1 is what today's
// generators, linters and viewers read; few read 3.2.
import { type Route, routes } from "#contract/routes.ts";
import { RESPONSE_HEADERS, SECURITY_SCHEMES, TAGS } from "./descriptions.ts";
import { type Json, jsonSchemasInto } from "./json-schema.ts";
import { operation } from "./operation.ts";

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
    tags: TAGS,
    paths,
    components: { securitySchemes: SECURITY_SCHEMES, headers: RESPONSE_HEADERS, responses, schemas },
  };
}

/** The document as a service sends it that the reader sees under this base path. */
export const servedUnder = (basePath: string, document: Json): Json => ({
  ...document,
  servers: [{ url: basePath || "/", description: "This service." }],
});
