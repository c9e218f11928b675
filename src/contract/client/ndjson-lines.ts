import { ConnectionError } from "./connection-error.ts";
import { utf8Chunks } from "./utf8-chunks.ts";

/** The values of a body that has one on each line, as they come. */
export async function* ndjsonLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<unknown, undefined> {
  if (body === null) return;
  let rest = "";
  for await (const text of utf8Chunks(body)) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
  if (rest !== "") throw new ConnectionError("broken-off", "The results broke off. What was answered is on record.");
}
