import fc from "fast-check";
import { expect, test } from "vitest";
import { eventData } from "./chat-completion.ts";

async function read(stream: string | Uint8Array, chunkBytes = Number.POSITIVE_INFINITY): Promise<string[]> {
  async function* chunks() {
    const bytes = Buffer.from(stream);
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  return Array.fromAsync(eventData(chunks()));
}

test("takes LF, CR LF and CR as line ends, and joins the data lines of one event", async () => {
  for (const end of ["\n", "\r\n", "\r"]) {
    const stream = ["data: one", "data: more", "", "data:two", "", ""].join(end);
    expect(await read(stream)).toEqual(["one\nmore", "two"]);
  }
});

test("leaves out a byte order mark, comments, names of events and unknown fields", async () => {
  const stream = "\ufeff: PROCESSING\n\ndata: one\n\nevent: message\nid: 7\nretry: 10\nother\ndata: two\n\n";
  expect(await read(stream)).toEqual(["one", "two"]);
});

test("drops the event that the stream breaks off in", async () => {
  expect(await read("data: one\n\ndata: two\n")).toEqual(["one"]);
  expect(await read("data: one\n\ndata: tw")).toEqual(["one"]);
});

test("replaces bytes that are not UTF-8", async () => {
  expect(await read(Buffer.from([...Buffer.from("data: a"), 0xff, ...Buffer.from("b\n\n")]))).toEqual(["a\ufffdb"]);
});

test("gives the same events however the bytes are divided into chunks", async () => {
  const line = fc.string({ unit: "grapheme", maxLength: 8 }).map((text) => text.replace(/[\r\n]/g, ""));
  const end = fc.constantFrom("\n", "\r\n");
  await fc.assert(
    fc.asyncProperty(fc.array(line), end, fc.integer({ min: 1, max: 7 }), async (lines, lineEnd, chunkBytes) => {
      const stream = lines.map((text) => `data: ${text}${lineEnd}${lineEnd}`).join("");
      expect(await read(stream, chunkBytes)).toEqual(lines);
    }),
  );
});
