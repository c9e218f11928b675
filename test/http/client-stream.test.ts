// The client's event streams against the real service.
import { expect, test } from "vitest";
import type { LanguageModel } from "#ports.ts";
import { serviceForTest } from "#test/support/service.ts";

const ASK = { agentId: "assistant", query: "Dinner?" };

test("The pieces together are the answer, and its receipt is on record", async () => {
  const { client } = await serviceForTest();
  const pieces: string[] = [];
  const { answer, receipt } = await client.chat(ASK, { onText: (piece) => pieces.push(piece) });
  expect(pieces.join("")).toBe(answer);
  expect((await client.getReceipt({ answerId: receipt.answerId })).receipt).toEqual(receipt);
  const spoken: string[] = [];
  const companion = await client.companion({ query: "Dinner?" }, { onText: (piece) => spoken.push(piece) });
  expect(spoken.join("")).toBe(companion.answer);
});

test("A revoke during an answer voids its pieces, and the answer is made again without the namespace", async () => {
  let asked = 0;
  const model: LanguageModel = {
    name: "slow",
    async complete({ user }, { onText, signal }) {
      asked += 1;
      const text = user.includes("satay") ? "Satay." : "Nothing known.";
      onText?.(text);
      if (asked > 1) return { text, model: "slow" };
      return new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    },
  };
  const { client } = await serviceForTest({ overrides: { model } });
  const begun = Promise.withResolvers<void>();
  const pieces: string[] = [];
  const answering = client.chat(
    { agentId: "planner", query: "Dinner?" },
    {
      onText(piece) {
        pieces.push(piece);
        begun.resolve();
      },
      onRestart: () => pieces.push("RESTART"),
    },
  );
  await begun.promise;
  await client.setAccess({ agentId: "planner", namespace: "diet", allowed: false });
  const { answer, receipt } = await answering;
  expect(pieces).toEqual(["Satay.", "RESTART", "Nothing known."]);
  expect(answer).toBe("Nothing known.");
  expect(receipt.usedMemories.some(({ namespace }) => namespace === "diet")).toBe(false);
});

test("An aborted signal ends the answer in the client, and the call of the model in the service", async () => {
  const aborted = Promise.withResolvers<void>();
  const model: LanguageModel = {
    name: "endless",
    complete(_, { onText, signal }) {
      onText?.("Once upon a time");
      return new Promise((__, reject) =>
        signal?.addEventListener("abort", () => {
          aborted.resolve();
          reject(signal.reason);
        }),
      );
    },
  };
  const { client } = await serviceForTest({ overrides: { model } });
  const controller = new AbortController();
  const answering = client.chat(ASK, {
    signal: controller.signal,
    onText: () => controller.abort(new Error("enough")),
  });
  await expect(answering).rejects.toThrow("enough");
  await aborted.promise;
});
