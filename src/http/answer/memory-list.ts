import type { Memory } from "#core/memory.ts";
import { type ResponseWriter, sendPieces } from "./response-writer.ts";

/** Sends `{"memories":[…]}` page by page, so that a list of any length needs little memory. */
export function sendMemoryList(response: ResponseWriter, pages: AsyncIterable<readonly Memory[]>): Promise<void> {
  return sendPieces(response, "application/json", jsonOf(pages));
}

async function* jsonOf(pages: AsyncIterable<readonly Memory[]>): AsyncGenerator<string> {
  let opening = '{"memories":[';
  for await (const memories of pages) {
    if (memories.length === 0) continue;
    yield opening + memories.map((memory) => JSON.stringify(memory)).join(",");
    opening = ",";
  }
  yield opening === "," ? "]}" : `${opening}]}`;
}
