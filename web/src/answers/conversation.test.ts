import { describe, expect, test } from "vitest";
import type { AnswerOptions } from "#contract/client/client.ts";
import { createConversation, type Turn } from "./conversation.ts";

const QUESTION = { agentId: "assistant", query: "What is for dinner?" };
const GATE = {
  answerId: "ans_1",
  createdAt: "2026-05-01T10:00:00.000Z",
  policyVersion: 1,
  template: null,
  memories: [],
  blockedNamespaces: ["health"],
};
const replyWith = (answer: string) => ({ answer, receipt: { answerId: answer } }) as never;

/** A conversation whose answers the test gives. */
function controlledConversation() {
  const sent: { readonly options: AnswerOptions; readonly reply: PromiseWithResolvers<never> }[] = [];
  const conversation = createConversation((_question, options) => {
    const reply = Promise.withResolvers<never>();
    options.signal?.addEventListener("abort", () => reply.reject(options.signal?.reason));
    sent.push({ options, reply });
    return reply.promise;
  });
  const { turns } = conversation;
  const last = () => turns.get().at(-1);
  const untilLastIs = (status: Turn["status"]) =>
    new Promise<Turn>((resolve) => {
      const check = () => {
        const turn = last();
        if (turn?.status === status) resolve(turn);
      };
      turns.subscribe(check);
      check();
    });
  return { conversation, sent, untilLastIs, last };
}

describe("a conversation", () => {
  test("shows the text as it arrives, and at the end the whole answer with its receipt", async () => {
    const { conversation, sent, untilLastIs, last } = controlledConversation();
    conversation.ask(QUESTION);
    sent[0]?.options.onText?.("Fi");
    sent[0]?.options.onText?.("sh");
    expect(last()).toMatchObject({ ...QUESTION, status: "asking", text: "Fish", voided: [] });
    sent[0]?.reply.resolve(replyWith("Fish."));
    expect(await untilLastIs("answered")).toMatchObject({ text: "Fish.", receipt: { answerId: "Fish." } });
  });

  test("keeps the text so far as void when the service answers again", () => {
    const { conversation, sent, last } = controlledConversation();
    conversation.ask(QUESTION);
    sent[0]?.options.onGate?.(GATE);
    sent[0]?.options.onText?.("Peanuts");
    sent[0]?.options.onRestart?.();
    expect(last()).toMatchObject({ text: "", voided: [{ text: "Peanuts", gate: GATE }] });
    expect(last()?.gate).toBeUndefined();
    sent[0]?.options.onText?.("Fish");
    expect(last()?.text).toBe("Fish");
  });

  test("drops the text of an answer that was not released", async () => {
    const { conversation, sent, untilLastIs } = controlledConversation();
    conversation.ask(QUESTION);
    sent[0]?.options.onText?.("Peanuts");
    const error = new Error("broke off");
    sent[0]?.reply.reject(error);
    expect(await untilLastIs("failed")).toMatchObject({ text: "", error });
  });

  test("aborts a question on stop, and when the next one is asked", async () => {
    const { conversation, sent, untilLastIs } = controlledConversation();
    conversation.ask(QUESTION);
    conversation.stop();
    expect(await untilLastIs("stopped")).toMatchObject({ id: 1 });
    conversation.ask(QUESTION);
    conversation.ask({ ...QUESTION, query: "And then?" });
    expect(sent.map(({ options }) => options.signal?.aborted)).toEqual([true, true, false]);
    sent[1]?.options.onText?.("late");
    expect(conversation.turns.get().map(({ text }) => text)).toEqual(["", "late", ""]);
  });

  test("forgets every question when it is cleared, also one whose answer comes late", async () => {
    const { conversation, sent } = controlledConversation();
    conversation.ask(QUESTION);
    conversation.clear();
    sent[0]?.options.onText?.("late");
    await expect(sent[0]?.reply.promise).rejects.toThrow();
    expect(conversation.turns.get()).toEqual([]);
    expect(sent[0]?.options.signal?.aborted).toBe(true);
  });
});
