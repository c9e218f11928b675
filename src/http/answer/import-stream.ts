// POST /api/memories/import: facts as NDJSON in, a result for each out, as they are stored. A line that is no fact
// fails alone. Nothing is read ahead of what the client takes, so any number of lines takes little room; a client has
// to read while it writes.

import { NDJSON_TYPE } from "#contract/client/import-stream.ts";
import type { Problem } from "#contract/problem.ts";
import { IMPORT_LINES, importLine } from "#contract/schemas/import.ts";
import type { Fact } from "#core/memory.ts";
import { HttpError } from "#http/http-error.ts";
import { parseJson } from "#http/request/json-body.ts";
import { type Line, linesOf } from "#http/request/ndjson-lines.ts";
import { checkedBody } from "#http/request/validate-input.ts";
import type { Deps } from "#service/deps.ts";
import { type ImportLine, importMemories } from "#service/memories/import-memories.ts";
import type { HttpReply } from "./reply.ts";

const TYPES = /^application\/(?:x-)?ndjson\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const IDLE_MS = 60_000;

export function importReply(deps: Deps, request: Request, problemOf: (error: unknown) => Problem): HttpReply {
  if (!TYPES.test(request.headers.get("content-type") ?? "")) {
    throw new HttpError("unsupported-media-type", `Send one JSON object a line, with Content-Type: ${NDJSON_TYPE}.`);
  }
  if (request.body === null) throw new HttpError("malformed-json", "The body is empty; send one fact a line.");
  return { headers: { "content-type": NDJSON_TYPE }, body: results(deps, request.body, problemOf) };
}

async function* results(
  deps: Deps,
  body: ReadableStream<Uint8Array>,
  problemOf: (error: unknown) => Problem,
): AsyncGenerator<string> {
  for await (const result of importMemories(deps, factsIn(body))) {
    const told = "memory" in result ? { memory: result.memory } : { problem: problemOf(result.error) };
    yield `${JSON.stringify({ line: result.line, ...told })}\n`;
  }
}

async function* factsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ImportLine> {
  for await (const line of linesOf(body, IDLE_MS)) {
    if (line.line > IMPORT_LINES) {
      const most = `An import takes at most ${IMPORT_LINES.toLocaleString("en")} lines; send the rest in another.`;
      yield { line: line.line, error: new HttpError("body-too-large", most) };
      return;
    }
    if ("tooLong" in line || line.bytes.some((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d))
      yield factIn(line);
  }
}

function factIn(line: Line): ImportLine {
  try {
    if ("tooLong" in line) throw new HttpError("body-too-large", "A line may have at most 64 KiB.");
    return { line: line.line, fact: checkedBody(importLine, parseJson(line.bytes)) as Fact };
  } catch (error) {
    return { line: line.line, error };
  }
}
