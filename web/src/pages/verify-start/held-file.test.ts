import fc from "fast-check";
import { expect, test } from "vitest";
import { readFile, readText } from "./held-file.ts";

const FOREIGN = {
  answerId: "ans_1",
  agentId: "assistant",
  createdAt: "2026-01-02T03:04:05Z",
  usedMemories: [{ namespace: "n", snippet: "s", storeRef: "r", authorized: true, verified: true }],
  blockedNamespaces: [],
};
const SEED = "5e".repeat(32);
const faultOf = (text: string) => {
  const file = readText(text);
  return file.kind === "none" ? file.fault : file.kind;
};

test("a receipt is found by itself, and in a reply of the service with its opening and its answer", () => {
  expect(readText(JSON.stringify(FOREIGN, null, 2))).toMatchObject({ kind: "receipt", held: { answerId: "ans_1" } });
  const reply = { answer: "Yes.", receipt: FOREIGN, opening: { v: 2, seed: SEED } };
  expect(readText(`\uFEFF${JSON.stringify(reply)}`)).toMatchObject({
    kind: "receipt",
    answer: "Yes.",
    opening: `{"seed":"${SEED}","v":2}`,
  });
});

test("the order of members and white space do not change the digest of a receipt", () => {
  const digest = (text: string) => {
    const file = readText(text);
    return file.kind === "receipt" ? file.held.digest : file.kind;
  };
  const turned = Object.fromEntries(Object.entries(FOREIGN).toReversed());
  expect(digest(JSON.stringify(turned, null, 4))).toBe(digest(JSON.stringify(FOREIGN)));
});

test("what portcullis proof wrote is a bundle, and one with a fault says which", () => {
  const bundle = {
    format: "portcullis/bundle/v1",
    network: "local",
    packageId: "0x1",
    receiptId: `0x${"2".padStart(64, "0")}`,
    objects: {},
    blobs: { id: "AA==" },
    tombstones: {},
  };
  expect(readText(JSON.stringify(bundle))).toEqual({ kind: "bundle", bundle });
  expect(faultOf(JSON.stringify({ ...bundle, blobs: { id: "A" } }))).toContain("blobs/id must be base64");
});

test("a proof names its object, and brings its opening", () => {
  const proof = { receiptId: "0x2", opening: { v: 2, seed: SEED } };
  const receiptId = `0x${"2".padStart(64, "0")}`;
  expect(readText(JSON.stringify(proof))).toEqual({ kind: "proof", receiptId, opening: proof.opening });
});

test("anything else is refused in words, and nothing crashes", async () => {
  expect(faultOf("[1,2")).toBe("It is not a JSON object.");
  expect(faultOf("[]")).toBe("It is not a JSON object.");
  expect(faultOf("{}")).toMatch(/^It is not a receipt: /);
  expect(faultOf('{"__proto__":{"receipt":1}}')).toMatch(/^It is not a receipt: /);
  expect(faultOf(`{"receipt":${"[".repeat(50_000)}${"]".repeat(50_000)}}`)).toMatch(/^(It is|The blob is)/);
  expect(faultOf(JSON.stringify({ v: 2, seed: SEED }))).toMatch(/^It is an opening/);
  expect(faultOf(JSON.stringify({ ...FOREIGN, more: "x".repeat(600 * 1024) }))).toMatch(/larger than any receipt/);
  expect(await readFile(new Blob(["x".repeat(3 * 1024 * 1024)]))).toMatchObject({ kind: "none" });
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (text) => ["receipt", "proof", "none"].includes(readText(text).kind)),
  );
});
