import { expect, test } from "vitest";
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes, type Memory } from "#core/memory.ts";
import { compareBlob } from "./blob-check.tsx";

const fact = { namespace: "health", content: "Severe peanut allergy.", sourceAgent: "companion" };
const bytes = factBytes(fact);
const memory: Memory = {
  ...fact,
  memoryId: "mem_1",
  storeRef: "blob",
  createdAt: "2026-05-01T00:00:00.000Z",
  contentDigest: digestHex(bytes),
};

test("a blob with the memory's bytes and the recorded digest is intact", () => {
  expect(compareBlob(memory, bytes).state).toBe("intact");
});

test("a blob that differs in one byte is reported with both digests", () => {
  const other = Uint8Array.from(bytes);
  other[3] = (other[3] ?? 0) ^ 1;
  const recorded = digestHex(bytes);
  const digests = { recorded, shown: recorded, stored: digestHex(other) };
  expect(compareBlob(memory, other)).toEqual({ state: "altered", digests });
});

test("a record whose text was changed is reported, although the blob has the recorded digest", () => {
  const changed = { ...memory, content: "No allergies." };
  expect(compareBlob(changed, bytes)).toMatchObject({
    state: "altered",
    digests: { recorded: digestHex(bytes), stored: digestHex(bytes), shown: digestHex(factBytes(changed)) },
  });
});

test("a record whose digest was changed is reported, although the blob has the memory's bytes", () => {
  expect(compareBlob({ ...memory, contentDigest: "00" }, bytes).state).toBe("altered");
});

test("the blob of an encrypted memory is intact when it has the recorded digest, although the text is not in it", () => {
  const ciphertext = Uint8Array.of(1, 2, 3);
  const encrypted: Memory = { ...memory, encrypted: true, contentDigest: digestHex(ciphertext) };
  expect(compareBlob(encrypted, ciphertext).state).toBe("intact");
  expect(compareBlob(encrypted, bytes).state).toBe("altered");
});

test("a blob is not reachable when it is missing, and when the store does not answer", () => {
  expect(compareBlob(memory, "missing")).toEqual({ state: "not-reachable", why: "missing" });
  expect(compareBlob(memory, "unreachable")).toEqual({ state: "not-reachable", why: "unreachable" });
});
