// A call as a curl command.
import { segmentOf } from "#contract/client/send-request.ts";
import { paths } from "#contract/paths.ts";
import type { Call, Target } from "./call.ts";
import { jsonLiteral } from "./json-literal.ts";
import { shellWord } from "./shell-word.ts";

const NDJSON_BODIES: ReadonlySet<Call["route"]> = new Set(["importMemories", "importRecords"]);

export function curlCommand(call: Call, { baseUrl, hasIdentities }: Target): string {
  const { method, path } = paths[call.route];
  const parts = [`curl${method === "GET" ? "" : ` -X ${method}`} ${shellWord(baseUrl + filled(path, call))}`];
  // The shell fills it in. A key in a command would stay in the history.
  if (hasIdentities) parts.push('-H "authorization: Bearer $PORTCULLIS_KEY"');
  if (NDJSON_BODIES.has(call.route)) {
    parts.push("-H 'content-type: application/x-ndjson'", "--data-binary @facts.ndjson");
  } else if (call.body !== undefined) {
    parts.push("-H 'content-type: application/json'", `-d ${shellWord(jsonLiteral(call.body))}`);
  }
  return parts.join(" \\\n  ");
}

/** The path with its parameters and its query. Throws for a parameter that would be a step in the path. */
export function filled(path: string, { params = {}, query = {} }: Pick<Call, "params" | "query">): string {
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => segmentOf(params[name] ?? ""));
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined || value === "" ? [] : [[name, String(value)] as [string, string]],
  );
  return given.length === 0 ? filledPath : `${filledPath}?${new URLSearchParams(given)}`;
}
