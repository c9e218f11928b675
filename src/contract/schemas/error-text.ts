/** A body as text, piece by piece. Not by `for await` over the body itself: not every browser can. */
export async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const reader = body.getReader();
  const utf8 = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      const text = utf8.decode(value, { stream: !done });
      if (text !== "") yield text;
      if (done) return;
    }
  } finally {
    // Whoever stops listening lets the connection go. Of a body that ended or broke there is nothing left to cancel.
    await reader.cancel().catch(() => undefined);
  }
}
