// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): the data of each event. Comments
// and names of events are left out. An event that the stream breaks off in is dropped, as the standard says.
import { createParser } from "eventsource-parser";

export async function* eventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const utf8 = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(utf8.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
}
