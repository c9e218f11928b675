import { NDJSON_TYPE } from "#contract/media-types.ts";
import { type Problem, ProblemError, readProblem } from "#contract/problem.ts";
import type { Memory } from "#core/memory.ts";
import { utf8Chunks } from "./utf8-chunks.ts";

export type ImportReply =
  | { readonly line: number; readonly memory: Memory; readonly problem?: never }
  | { readonly line: number; readonly problem: Problem; readonly memory?: never };

/** Objects, or NDJSON as a Blob: over HTTP/1.1 a browser sends no stream, so it must have the whole body. */
export type Importable = Iterable<object> | AsyncIterable<object> | Blob;

/** Sends the lines and gives the results as they come. A fact whose result has come is on record. */
export async function* importOver(
  fetch: typeof globalThis.fetch,
  url: string,
  lines: Importable,
  signal?: AbortSignal,
): AsyncGenerator<ImportReply> {
  const body = lines instanceof Blob ? lines : encoded(lines);
  const init = { method: "POST", headers: { "content-type": NDJSON_TYPE }, body, duplex: "half" };
  const response = await fetch(url, { ...init, ...(signal !== undefined && { signal }) } as RequestInit);
  if (!response.ok || response.body === null) throw new ProblemError(await readProblem(response));
  let rest = "";
  for await (const text of utf8Chunks(response.body)) {
    const results = (rest + text).split("\n");
    rest = results.pop() ?? "";
    for (const result of results) yield JSON.parse(result) as ImportReply;
  }
  if (rest !== "") throw new Error("The results broke off. What was answered is on record.");
}

/** `ReadableStream.from` would do, but not every browser has it. */
function encoded(lines: Iterable<object> | AsyncIterable<object>): ReadableStream<Uint8Array> {
  const utf8 = new TextEncoder();
  const iterator = each(lines);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await iterator.next();
        if (done === true) controller.close();
        else controller.enqueue(utf8.encode(`${JSON.stringify(value)}\n`));
      },
      async cancel() {
        await iterator.return(undefined);
      },
    },
    { highWaterMark: 0 },
  );
}

async function* each<T>(values: Iterable<T> | AsyncIterable<T>): AsyncGenerator<T, undefined> {
  yield* values;
}
