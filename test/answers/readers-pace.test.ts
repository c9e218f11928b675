import { expect, test } from "vitest";
import { serviceForTest } from "#test/support/service.ts";

const QUESTION = { agentId: "assistant", query: "What should I know before dinner on Friday?" };

test("the built-in model writes word by word for a reader, so that a gate can be closed in the middle of an answer", async () => {
  const { client } = await serviceForTest();
  const pieces: string[] = [];
  let restarts = 0;
  let closing: Promise<unknown> | undefined;
  const { answer } = await client.chat(
    { ...QUESTION, pace: "reader" },
    {
      onText(piece) {
        pieces.push(piece);
        closing ??= client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
      },
      onRestart() {
        restarts += 1;
      },
    },
  );
  await closing;
  expect(restarts).toBe(1);
  expect(pieces.length).toBeGreaterThan(10);
  expect(answer).not.toContain("peanut");
});

test("nobody else is slowed: a stream that does not ask for it comes in one piece", async () => {
  const { client } = await serviceForTest();
  const pieces: string[] = [];
  const { answer } = await client.chat(QUESTION, { onText: (piece) => pieces.push(piece) });
  expect(pieces).toEqual([answer]);
});
