// A call as a program that uses the typed client. Its functions have the names of the routes, and take the parameters of
// the path first, then the query or the body.
import type { Call, Target } from "./call.ts";
import { jsonLiteral, programLiteral } from "./json-literal.ts";

export function clientCall({ route, params, query, body }: Call, { baseUrl, hasIdentities }: Target): string {
  const bearer = hasIdentities ? ", bearer: process.env.PORTCULLIS_KEY" : "";
  return [
    'import { createClient } from "portcullis/client";',
    ...(takesFile(route) ? ['import { openAsBlob } from "node:fs";'] : []),
    "",
    `const client = createClient({ baseUrl: ${jsonLiteral(baseUrl)}${bearer} });`,
    statement(route, [params, query, body].filter(isGiven).map(programLiteral).join(", ")),
  ].join("\n");
}

const takesFile = (route: Call["route"]): boolean => route === "importMemories" || route === "importRecords";

function statement(route: Call["route"], args: string): string {
  switch (route) {
    case "importMemories":
      return 'for await (const line of client.importMemories(await openAsBlob("facts.ndjson"))) console.log(line);';
    case "importRecords":
      return 'for await (const step of client.importRecords(await openAsBlob("facts.ndjson"))) console.log(step);';
    case "listenToEvents":
      return "for await (const event of client.listenToEvents()) console.log(event);";
    default:
      return `console.log(await client.${route}(${args}));`;
  }
}

const isGiven = (value: unknown): boolean =>
  value !== undefined && !(typeof value === "object" && value !== null && Object.keys(value).length === 0);
