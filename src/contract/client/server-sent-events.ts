// Server-sent events out of a body (https://html.spec.whatwg.org/multipage/server-sent-events.html), as far as a POST
// can have them: no reconnection, so `id` and `retry` mean nothing here. `EventSource` itself can only GET.
import { textOf } from "#contract/schemas/error-text.ts";

export const EVENT_STREAM = "text/event-stream";

export interface ServerEvent {
  readonly name: string;
  readonly data: string;
}

export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent, undefined> {
  let name = "";
  let data: string[] = [];
  for await (const line of linesIn(body)) {
    if (line === "") {
      if (data.length > 0) yield { name: name === "" ? "message" : name, data: data.join("\n") };
      [name, data] = ["", []];
      continue;
    }
    const [field, value] = parted(line);
    if (field === "event") name = value;
    if (field === "data") data.push(value);
  }
  // An event without the empty line after it is not whole, and is not told of.
}

/** A line that begins with a colon is a comment: its field has no name. */
function parted(line: string): [field: string, value: string] {
  const colon = line.indexOf(":");
  if (colon === -1) return [line, ""];
  const value = line.slice(colon + 1);
  return [line.slice(0, colon), value.startsWith(" ") ? value.slice(1) : value];
}

/** Lines end with LF, CR or CR LF, and a piece may end between the two of them. */
async function* linesIn(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  let rest = "";
  let afterCr = false;
  for await (const text of textOf(body)) {
    const piece = afterCr && text.startsWith("\n") ? text.slice(1) : text;
    afterCr = text.endsWith("\r");
    const lines = (rest + piece).split(/\r\n|\r|\n/);
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
