// What a person holds of an answer, compared with a receipt.
import { expect, test } from "vitest";
import { promptHeld, type Salts, valueHeld } from "#core/receipt/held-values.ts";
import { readOpening, saltIn } from "#core/receipt/opening.ts";
import { ANSWER, QUESTION } from "#core/receipt/sealed-form.ts";
import { serviceForTest } from "#test/support/service.ts";

/** The salts that an opening gives. */
function saltsOf(text: string): Salts {
  const document = readOpening(text);
  return (path) => document && saltIn(document, path);
}

const ASK = { agentId: "assistant", query: "What about dinner on Friday?" };

test("question, answer and rebuilt prompt belong to their receipt, and to no other", async () => {
  const { client } = await serviceForTest();
  const friday = { namespace: "diet", content: "Dinner on Friday is at eight.", occurredAt: "2026-05-08" };
  await client.capture({ ...friday, sourceAgent: "assistant" });
  const { answer, receipt, opening } = await client.chat(ASK);
  const { opening: another } = await client.chat(ASK);
  const { memories } = await client.listMemories();
  const facts = receipt.usedMemories.map(({ memoryId }) => memories.find((memory) => memory.memoryId === memoryId));
  const dated = facts.findIndex((fact) => fact?.occurredAt !== undefined);
  const otherwise = (i: number, text: object) => facts.with(i, { ...(facts[i] ?? expect.fail("a fact")), ...text });
  const seed = saltsOf(JSON.stringify(opening));
  const otherSeed = saltsOf(another.seed);

  expect(valueHeld(receipt, seed, QUESTION, ASK.query)).toBe("belongs");
  expect(valueHeld(receipt, seed, ANSWER, answer)).toBe("belongs");
  expect(promptHeld(receipt, seed, ASK.query, facts)).toBe("belongs");

  expect(valueHeld(receipt, seed, QUESTION, `${ASK.query} `)).toBe("differs");
  expect(valueHeld(receipt, otherSeed, QUESTION, ASK.query)).toBe("differs");
  expect(valueHeld(receipt, seed, ANSWER, "Another answer.")).toBe("differs");
  expect(promptHeld(receipt, seed, "Another question?", facts)).toBe("differs");
  expect(promptHeld(receipt, seed, ASK.query, otherwise(0, { content: "Another text." }))).toBe("differs");
  expect(promptHeld(receipt, seed, ASK.query, otherwise(dated, { occurredAt: "2026-05-09" }))).toBe("differs");
  expect(promptHeld({ ...receipt, createdAt: "2026-05-01" }, seed, ASK.query, facts)).toBe("differs");
  expect(promptHeld(receipt, seed, ASK.query, facts.with(0, undefined))).toBeUndefined();
});

test("receipts without commitments are said to have none, whatever their evidence is", () => {
  const seed = saltsOf("00".repeat(32));
  for (const evidence of [
    undefined,
    null,
    1,
    "x",
    [],
    { commitments: null },
    { commitments: [], template: "toString" },
  ]) {
    const receipt = { evidence, createdAt: "", usedMemories: [] };
    expect(valueHeld(receipt, seed, QUESTION, "q")).toBe("absent");
    expect(promptHeld(receipt, seed, "q", [])).toBeUndefined();
  }
});

test.for(["", "{", "{}", "null", '{"seed":1}', "ab".repeat(31), "AB".repeat(32), `${"ab".repeat(32)}0`])(
  "%j is no opening",
  (text) => expect(readOpening(text)).toBeUndefined(),
);
