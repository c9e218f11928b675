// A service, or whoever wrote its memories, may send text that a terminal would act on. Nothing of it gets through.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { portcullis } from "#test/support/portcullis.ts";

/** A title, a cleared screen, a bell, an 8-bit CSI, DEL, a backspace, a carriage return, and a reversed direction. */
const EVIL = "\u001b]0;owned\u0007\u001b[2J\u0008\r\u009b31m\u007f\u202egnp.exe\u2066\u200bend";
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come out.
const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

const memory = {
  memoryId: EVIL,
  storeRef: EVIL,
  namespace: EVIL,
  content: `${EVIL}\n${EVIL}`,
  sourceAgent: EVIL,
  createdAt: EVIL,
  contentDigest: EVIL,
  [EVIL]: EVIL,
};
const used = { memoryId: EVIL, namespace: EVIL, snippet: EVIL, storeRef: EVIL };
const receipt = {
  answerId: EVIL,
  agentId: EVIL,
  usedMemories: [used],
  blockedNamespaces: [EVIL],
  createdAt: EVIL,
  evidence: { model: EVIL, policyVersion: EVIL },
};
const entry = {
  status: EVIL,
  reason: EVIL,
  receipt,
  anchor: { blobId: EVIL },
  chain: [{ receiptId: EVIL, anchoredAt: EVIL }],
};
const problem = {
  title: EVIL,
  status: 418,
  code: EVIL,
  detail: EVIL,
  errors: [{ pointer: `#/${EVIL}`, detail: EVIL }],
};

/** By method and path. */
const REPLIES: Readonly<Record<string, unknown>> = {
  "POST /api/chat": { answer: EVIL, receipt },
  "POST /api/recall": {
    memories: [{ ...memory, score: 1, relevance: 1 }],
    receipt,
    omittedCount: EVIL,
    blockedNamespaces: [EVIL],
  },
  "POST /api/memories": { memory, similar: [{ memoryId: EVIL, score: 1 }] },
  "GET /api/memories": { memories: [memory] },
  "GET /api/memories/1": { memory },
  "DELETE /api/memories/1": { tombstone: { forgottenAt: EVIL }, anchoredReceipts: 1 },
  "GET /api/policy": { policy: { [EVIL]: { [EVIL]: true } }, version: EVIL },
  "POST /api/policy": { policy: {}, version: EVIL },
  "GET /api/receipts": { receipts: [entry] },
  "GET /api/receipts/1": entry,
  "POST /api/anchor-chain": { receiptId: EVIL, verifyPath: EVIL, allAuthorized: false },
  "GET /api/verify/0x1": { verdict: "failed", checks: [{ name: EVIL, status: "fail", sentence: EVIL }] },
};

async function startHostile(): Promise<string> {
  const server = createServer((request, response) => {
    const key = `${request.method} ${request.url?.split("?")[0]}`;
    if (request.headers.accept === "text/event-stream") {
      response.setHeader("content-type", "text/event-stream");
      const answer = JSON.stringify({ answer: EVIL, receipt });
      return response.end(
        `event: token\ndata: ${JSON.stringify({ text: EVIL })}\n\nevent: answer\ndata: ${answer}\n\n`,
      );
    }
    const reply = REPLIES[key];
    response.statusCode = reply === undefined ? 418 : 200;
    response.setHeader("content-type", reply === undefined ? "application/problem+json" : "application/json");
    return response.end(JSON.stringify(reply ?? problem));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const COMMANDS: readonly (readonly string[])[] = [
  ["chat", "q"],
  ["recall", "q"],
  ["remember", "t", "--namespace", "n"],
  ["memories"],
  ["memories", "1"],
  ["forget", "1"],
  ["policy"],
  ["policy", "allow", "a", EVIL],
  ["receipts"],
  ["receipts", "1"],
  ["anchor", "1"],
  ["proof", "1"],
  ["verify", "0x1"],
  // Each of these is answered with a problem.
  ["memories", "unknown"],
  ["anchor", "1", "--blob"],
  ["export"],
];

test("no command lets a control sequence of the service through, as text, as a table or as JSON", async () => {
  const url = await startHostile();
  for (const command of COMMANDS) {
    for (const columns of [undefined, 80]) {
      for (const json of [[], ["--json"]]) {
        const { out, err } = await portcullis([...command, ...json], { url, columns });
        // A tab separates cells in a pipe.
        const text = `${columns === undefined ? out.replaceAll("\t", " ") : out}${err}`;
        expect([command, columns, json, UNSAFE.exec(text)]).toEqual([command, columns, json, null]);
        expect([command, text.includes("end")]).toEqual([command, true]);
        for (const line of json.length > 0 && out !== "" ? out.trimEnd().split("\n") : []) JSON.parse(line);
      }
    }
  }
});

test("JSON has the same value as the service gave", async () => {
  const url = await startHostile();
  expect(JSON.parse((await portcullis(["memories", "1", "--json"], { url })).out)).toEqual(memory);
});
