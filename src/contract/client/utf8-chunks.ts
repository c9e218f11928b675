import { ConnectionError } from "./connection-error.ts";

/** A body as text, chunk by chunk. It uses a reader because not every browser has `for await` over a body. */
export async function* utf8Chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = utf8.decode(value, { stream: !done });
      if (text !== "") yield text;
      if (done) return;
    }
  } catch (error) {
    if (error instanceof TypeError) throw new ConnectionError("broken-off", "The response broke off.", error);
    throw error;
  } finally {
    // A caller that stops early frees the connection. Cancelling a body that ended or broke off does nothing.
    await reader.cancel().catch(() => undefined);
  }
}
