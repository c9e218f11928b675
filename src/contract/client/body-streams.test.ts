import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ndjsonLines, parseEventStream, type ServerSentEvent } from "./body-streams.ts";

/** A body in chunks that end at the byte positions `cuts`, also in the middle of characters. */
function bodyOf(text: string, cuts: readonly number[] = []): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const ends = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const chunks = [...ends, bytes.length].map((end, i) => bytes.subarray(ends[i - 1] ?? 0, end));
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      controller.close();
    },
  });
}

async function read(text: string, cuts?: readonly number[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = [];
  for await (const event of parseEventStream(bodyOf(text, cuts))) events.push(event);
  return events;
}

const names = fc.constantFrom("token", "answer", "message");
const dataLines = fc.array(
  fc.string({ unit: "grapheme", maxLength: 12 }).map((line) => line.replaceAll(/[\r\n]/g, "")),
  { minLength: 1, maxLength: 3 },
);
const lineEnds = fc.constantFrom("\n", "\r", "\r\n");

describe("parseEventStream", () => {
  test("gives the same events wherever the chunks of the body end, and whatever ends its lines", async () => {
    const event = fc.record({ name: names, lines: dataLines });
    await fc.assert(
      fc.asyncProperty(fc.array(event), lineEnds, fc.array(fc.nat(500)), async (events, end, cuts) => {
        const text = events
          .map(({ name, lines }) => `event: ${name}${end}${lines.map((line) => `data: ${line}${end}`).join("")}${end}`)
          .join("");
        expect(await read(text, cuts)).toEqual(events.map(({ name, lines }) => ({ name, data: lines.join("\n") })));
      }),
    );
  });

  test("leaves out comments, unknown fields, the space after the colon, and an event that is not complete", async () => {
    expect(await read(": hello\nid: 7\nretry: 1\nevent:a\ndata:x\n\n")).toEqual([{ name: "a", data: "x" }]);
    expect(await read("data:  two spaces\n\n")).toEqual([{ name: "message", data: " two spaces" }]);
    expect(await read("data\n\n")).toEqual([{ name: "message", data: "" }]);
    expect(await read("event: nothing\n\ndata: y\n\n")).toEqual([{ name: "message", data: "y" }]);
    expect(await read("data: cut off\n")).toEqual([]);
  });

  test("cancels the body when its caller stops reading", async () => {
    const endless = endlessBody("data: x\n\n");
    for await (const { data } of parseEventStream(endless.body)) {
      expect(data).toBe("x");
      break;
    }
    expect(endless.isCancelled()).toBe(true);
  });
});

/** It has the text again and again. */
function endlessBody(text: string) {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(text)),
    cancel() {
      isCancelled = true;
    },
  });
  return { body, isCancelled: () => isCancelled };
}

describe("lines of JSON", () => {
  test("cancel the body when their caller stops reading", async () => {
    const endless = endlessBody('{"line":1}\n');
    for await (const line of ndjsonLines(endless.body)) {
      expect(line).toEqual({ line: 1 });
      break;
    }
    expect(endless.isCancelled()).toBe(true);
  });

  test.for([
    ["is none", "no JSON\n"],
    ["is nested too deeply", `${"[".repeat(100)}\n`],
  ] as const)("cancel the body when one %s", async ([, text]) => {
    const endless = endlessBody(text);
    await expect(ndjsonLines(endless.body).next()).rejects.toThrow();
    expect(endless.isCancelled()).toBe(true);
  });
});
