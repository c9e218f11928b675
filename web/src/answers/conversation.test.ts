import { describe, expect, it } from "vitest";
import type { AnswerOptions } from "#contract/client/client.ts";
import { createAsking, type Turn } from "./conversation.ts";

const QUESTION = { agentId: "assistant", query: "What is for dinner?" };
const answered = (answer: string) => ({ answer, receipt: { answerId: answer } }) as never;

/** An asking whose answers are given by hand. */
function byHand() {
  const sent: { readonly options: AnswerOptions; readonly end: PromiseWithResolvers<never> }[] = [];
  const asking = createAsking((_question, options) => {
    const end = Promise.withResolvers<never>();
    options.signal?.addEventListener("abort", () => end.reject(options.signal?.reason));
    sent.push({ options, end });
    return end.promise;
  });
  const settled = (wanted: Turn["status"]) =>
    new Promise<Turn>((resolve) => {
      const look = () => {
        const turn = asking.turns().at(-1);
        if (turn?.status === wanted) resolve(turn);
      };
      asking.subscribe(look);
      look();
    });
  return { asking, sent, settled, last: () => asking.turns().at(-1) };
}

describe("asking", () => {
  it("shows the pieces as they come, and in the end the answer that counts", async () => {
    const { asking, sent, settled, last } = byHand();
    asking.ask(QUESTION);
    sent[0]?.options.onText?.("Fi");
    sent[0]?.options.onText?.("sh");
    expect(last()).toMatchObject({ ...QUESTION, status: "asking", text: "Fish", restarted: false });
    sent[0]?.end.resolve(answered("Fish."));
    expect(await settled("answered")).toMatchObject({ text: "Fish.", receipt: { answerId: "Fish." } });
  });

  it("forgets what was shown when the answer is made anew", () => {
    const { asking, sent, last } = byHand();
    asking.ask(QUESTION);
    sent[0]?.options.onText?.("Peanuts");
    sent[0]?.options.onRestart?.();
    expect(last()).toMatchObject({ text: "", restarted: true });
    sent[0]?.options.onText?.("Fish");
    expect(last()?.text).toBe("Fish");
  });

  it("shows nothing of an answer that was not released", async () => {
    const { asking, sent, settled } = byHand();
    asking.ask(QUESTION);
    sent[0]?.options.onText?.("Peanuts");
    const error = new Error("broke off");
    sent[0]?.end.reject(error);
    expect(await settled("failed")).toMatchObject({ text: "", error });
  });

  it("stops when told to, and a new question stops the one before", async () => {
    const { asking, sent, settled } = byHand();
    asking.ask(QUESTION);
    asking.stop();
    expect(await settled("stopped")).toMatchObject({ id: 1 });
    asking.ask(QUESTION);
    asking.ask({ ...QUESTION, query: "And then?" });
    expect(sent.map(({ options }) => options.signal?.aborted)).toEqual([true, true, false]);
    sent[1]?.options.onText?.("late");
    expect(asking.turns().map(({ text }) => text)).toEqual(["", "late", ""]);
  });
});
