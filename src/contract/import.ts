// POST /api/memories/import: one fact a line in, one result a line out (NDJSON). Beside the table, because neither side
// is one JSON value.
import { z } from "zod";
import { PROBLEM_TYPE, type Problem, ProblemError, problemSchema } from "./problem.ts";
import { fact, memory } from "./schemas.ts";

export const NDJSON_TYPE = "application/x-ndjson";
export const IMPORT_PATH = "/api/memories/import";
export const IMPORT_LINES = 10_000;

export const importLine = fact;

/** `line` counts from 1, empty lines included. */
export const importResult = z
  .object({ line: z.int(), memory: memory.optional(), problem: problemSchema.optional() })
  .meta({ id: "ImportResult", description: "Either `memory` or `problem`." });

export type ImportReply =
  | { readonly line: number; readonly memory: z.infer<typeof memory>; readonly problem?: never }
  | { readonly line: number; readonly problem: Problem; readonly memory?: never };

/** Sends the lines and gives the results as they come. The facts are on record that a result tells of. */
export async function* importOver(
  fetch: typeof globalThis.fetch,
  url: string,
  lines: Iterable<object> | AsyncIterable<object>,
): AsyncGenerator<ImportReply> {
  const body = ReadableStream.from(encoded(lines));
  const init = { method: "POST", headers: { "content-type": NDJSON_TYPE }, body, duplex: "half" };
  const response = await fetch(url, init as RequestInit);
  if (!response.ok || response.body === null) throw new ProblemError(await problemOf(response));
  let rest = "";
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield JSON.parse(part) as ImportReply;
  }
  if (rest !== "") throw new Error("The results broke off. What was answered is on record.");
}

async function* encoded(lines: Iterable<object> | AsyncIterable<object>): AsyncGenerator<Uint8Array> {
  const utf8 = new TextEncoder();
  for await (const line of lines) yield utf8.encode(`${JSON.stringify(line)}\n`);
}

/** The problem that the service told of, or one that says it told of none (a proxy's error page, say). */
export async function problemOf(response: Response): Promise<Problem> {
  if (response.headers.get("content-type")?.startsWith(PROBLEM_TYPE)) return (await response.json()) as Problem;
  return {
    type: "about:blank",
    title: response.statusText,
    status: response.status,
    code: "unexpected-response",
    detail: `The service answered ${response.status} and did not say why.`,
  };
}
