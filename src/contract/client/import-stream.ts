import { type Problem, ProblemError, problemOf } from "#contract/problem.ts";
import { textOf } from "#contract/schemas/error-text.ts";
import type { Memory } from "#core/memory.ts";

export const NDJSON_TYPE = "application/x-ndjson";

export type ImportReply =
  | { readonly line: number; readonly memory: Memory; readonly problem?: never }
  | { readonly line: number; readonly problem: Problem; readonly memory?: never };

/** Objects, or the NDJSON itself. Browsers send over HTTP/1.1 only what is there as a whole: for them, pieces of a file. */
export type Importable = Iterable<object> | AsyncIterable<object> | Blob;

/** Sends the lines and gives the results as they come. The facts are on record that a result tells of. */
export async function* importOver(
  fetch: typeof globalThis.fetch,
  url: string,
  lines: Importable,
  signal?: AbortSignal,
): AsyncGenerator<ImportReply> {
  const body = lines instanceof Blob ? lines : encoded(lines);
  const init = { method: "POST", headers: { "content-type": NDJSON_TYPE }, body, duplex: "half" };
  const response = await fetch(url, { ...init, ...(signal !== undefined && { signal }) } as RequestInit);
  if (!response.ok || response.body === null) throw new ProblemError(await problemOf(response));
  let rest = "";
  for await (const text of textOf(response.body)) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const part of parts) yield JSON.parse(part) as ImportReply;
  }
  if (rest !== "") throw new Error("The results broke off. What was answered is on record.");
}

/** Not `ReadableStream.from`: not every browser has it. */
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
