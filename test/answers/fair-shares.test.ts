// A slow model, and one agent that asks it more than it can take.
import { expect, test } from "vitest";
import { createAdmission } from "#http/admission/admission.ts";
import { createConcurrencyLimit } from "#http/admission/concurrency-limit.ts";
import type { LanguageModel } from "#ports.ts";
import { type Answer, post, problemIn } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const QUESTIONS = 530;
const CALLS = 256;
const WAITING = 256;

/** A model whose calls end one by one, when the test says so, until it is over. */
function slowModel(isOver: () => boolean) {
  const asked: (string | undefined)[] = [];
  const ends: (() => void)[] = [];
  const model: LanguageModel = {
    name: "slow",
    async complete(_, { fence, caller }) {
      asked.push(caller?.replace(/^1 /, ""));
      await fence(() => undefined);
      if (!isOver()) await new Promise<void>((resolve) => ends.push(resolve));
      return { text: "Soup.", model: "slow" };
    },
  };
  return { model, asked, ends };
}

test("while one agent has 530 questions under way, the next free place is another agent's", async () => {
  let isOver = false;
  const { model, asked, ends } = slowModel(() => isOver);
  // However busy the machine is, all of them are let in.
  const all = { least: QUESTIONS, targetMs: Number.POSITIVE_INFINITY, turnMs: 50, sharedTurnMs: 50 };
  const limit = createConcurrencyLimit({ initial: QUESTIONS, calm: all, overloaded: all });
  const admission = createAdmission({ limit, longLine: QUESTIONS, longestWaitMs: Number.POSITIVE_INFINITY });
  const { url } = await serviceForTest({ overrides: { model }, admission });
  const ask = (agentId: string) => post(`${url}/api/chat`, { agentId, query: "What about dinner?" });
  const refused: Answer[] = [];
  const greedy = Array.from({ length: QUESTIONS }, async () => {
    const answer = await ask("planner");
    if (answer.status !== 200) refused.push(answer);
  });
  const refusedAtOnce = QUESTIONS - CALLS - WAITING;
  await expect.poll(() => refused.length).toBe(refusedAtOnce);
  await expect.poll(() => asked.length).toBe(CALLS);

  const other = ask("assistant");
  // The line is full: the last of the many questions in it gives way.
  await expect.poll(() => refused.length).toBe(refusedAtOnce + 1);
  expect(new Set(refused.map((answer) => problemIn(answer).code))).toEqual(new Set(["overloaded"]));
  ends.shift()?.();
  await expect.poll(() => asked.length).toBe(CALLS + 1);
  expect(asked.at(-1)).toBe("assistant");

  isOver = true;
  for (const end of ends) end();
  expect((await other).status).toBe(200);
  await Promise.all(greedy);
  expect(refused).toHaveLength(refusedAtOnce + 1);
});
