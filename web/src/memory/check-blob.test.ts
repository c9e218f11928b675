import { expect, test } from "vitest";
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes, type Memory } from "#core/memory.ts";
import { judge } from "./check-blob.ts";

const fact = { namespace: "health", content: "Severe peanut allergy.", sourceAgent: "companion" };
const bytes = factBytes(fact);
const memory: Memory = {
  ...fact,
  memoryId: "mem_1",
  storeRef: "blob",
  createdAt: "2026-05-01T00:00:00.000Z",
  contentDigest: digestHex(bytes),
};

test("a blob with the fact's bytes and the recorded digest is intact", () => {
  expect(judge(memory, bytes).outcome).toBe("intact");
});

test("one other byte differs, with both digests", () => {
  const other = Uint8Array.from(bytes);
  other[3] = (other[3] ?? 0) ^ 1;
  const recorded = digestHex(bytes);
  const digests = { recorded, shown: recorded, stored: digestHex(other) };
  expect(judge(memory, other)).toEqual({ outcome: "differs", digests });
});

test("a record whose text was changed differs, though the blob has the recorded digest", () => {
  const changed = { ...memory, content: "No allergies." };
  expect(judge(changed, bytes)).toMatchObject({
    outcome: "differs",
    digests: { recorded: digestHex(bytes), stored: digestHex(bytes), shown: digestHex(factBytes(changed)) },
  });
});

test("a record whose digest was changed differs, though the bytes are the fact's", () => {
  expect(judge({ ...memory, contentDigest: "00" }, bytes).outcome).toBe("differs");
});

test("missing and no answer are told apart", () => {
  expect(judge(memory, "missing")).toEqual({ outcome: "missing" });
  expect(judge(memory, "unreachable")).toEqual({ outcome: "no-answer" });
});
