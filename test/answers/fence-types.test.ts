// Ways around the fence, each of which must not compile. `npm run check` compiles this file, and fails on an expected
// error that is not there. Nothing here runs: the functions only have types.
import { expectTypeOf, test } from "vitest";
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { admit } from "#core/gate/gate.ts";
import { renderPrompt } from "#core/prompt/prompt.ts";
import type { Why } from "#core/recall/rerank.ts";
import type { UsedMemory } from "#core/receipt/receipt.ts";
import type { ResponseWriter } from "#http/answer/response-writer.ts";
import { takenBehindFence } from "#http/answer/send-answer.ts";
import type { FencedAction, LanguageModel } from "#ports.ts";
import type {
  Answered,
  AskedPrompt,
  BegunOnRecord,
  GateReport,
  OnRecord,
  RecalledMemories,
} from "#service/answers/answered.ts";
import type { Attempt, Recalled } from "#service/answers/attempts/attempt.ts";
import type { Caller } from "#service/answers/caller.ts";
import { beginReceipt } from "#service/receipts/issue-receipt.ts";
import type { Tenant } from "#service/tenant.ts";

test("services reach neither the model nor a recall but through an attempt", () => {
  expectTypeOf<Tenant["model"]>().not.toHaveProperty("complete");
  expectTypeOf<Tenant["search"]>().not.toHaveProperty("recall");
  expectTypeOf<Tenant["index"]>().not.toHaveProperty("search");
});

test("an attempt has no way to the model or to the caller before its recall", () => {
  expectTypeOf<keyof Attempt>().toEqualTypeOf<"recall" | "releaseWithoutMemories">();
  expectTypeOf<Attempt["recall"]>().returns.resolves.toEqualTypeOf<Recalled>();
});

test("memories from elsewhere cannot be put into the prompt of a recall", () => {
  expectTypeOf(async (tenant: Tenant, { recall }: Attempt) => {
    const recalled = await recall("a", "question");
    const { memories } = await tenant.records.memories.page({ limit: 10 });
    const prompt = renderPrompt({
      template: "assistant/1",
      memories: admit("a", memories, await tenant.policyMirror.currentOf("a")),
      query: "",
      askedAt: "",
    });
    const begin = (asked: AskedPrompt) => beginReceipt(tenant, recalled, asked);
    await recalled.ask({ template: "assistant/1", now: tenant.now, begin });
    // @ts-expect-error: `ask` renders its own prompt from what it recalled.
    await recalled.ask({ template: "assistant/1", now: tenant.now, begin, prompt });
  }).toBeFunction();
});

test("no prompt leaves and no answer is released without a receipt on record", () => {
  expectTypeOf(async ({ recall }: Attempt, answered: Answered) => {
    const recalled = await recall("a", "question");
    // @ts-expect-error: the receipt has to be begun.
    await recalled.ask({ template: "assistant/1", now: () => new Date() });
    const parts = {
      answerId: "a",
      createdAt: "now",
      seed: new Uint8Array(32),
      commitments: {},
      ledgerVersion: {},
      breakOff() {},
    };
    // @ts-expect-error: only answered.ts makes an OnRecord.
    const begin = async (): Promise<BegunOnRecord> => parts;
    await recalled.ask({ template: "assistant/1", now: () => new Date(), begin });
    // @ts-expect-error: the answer alone does not say that its receipt is on record.
    await recalled.release(answered);
  }).toBeFunction();
});

test("a model takes no prompt without a fence, and no fence that the service did not make", () => {
  expectTypeOf(async (model: LanguageModel) => {
    const prompt = { system: "s", user: "u" };
    // @ts-expect-error: the fence is required.
    await model.complete(prompt);
    // @ts-expect-error: a function of one's own is not a fence.
    await model.complete(prompt, { fence: async (send: () => void | Promise<void>) => send() });
  }).toBeFunction();
});

test("a caller takes nothing that has not passed the fence", () => {
  expectTypeOf(async (caller: Caller, answered: Answered, report: GateReport) => {
    // @ts-expect-error: only the fence makes a Fenced<Answered>.
    await caller.release(answered, NEVER_ABORTS);
    // @ts-expect-error: only the fence makes Fenced pieces.
    await caller.listener?.write(["piece"], NEVER_ABORTS);
    // @ts-expect-error: only the fence makes a Fenced<GateReport>.
    await caller.listener?.gate(report, NEVER_ABORTS);
  }).toBeFunction();
});

test("nothing is written behind a fence without the signal that the fence was lost", () => {
  expectTypeOf<Parameters<FencedAction>>().toEqualTypeOf<[signal: AbortSignal]>();
  expectTypeOf((response: ResponseWriter, write: () => Promise<void>) => {
    // @ts-expect-error: the signal is required.
    takenBehindFence(response, write);
  }).toBeFunction();
});

test("recalled memories reach a caller through the fence alone", () => {
  expectTypeOf(
    async (
      caller: Caller<RecalledMemories>,
      attempt: Attempt<RecalledMemories>,
      reply: RecalledMemories,
      onRecord: OnRecord,
    ) => {
      // @ts-expect-error: only the fence makes a Fenced<RecalledMemories>.
      await caller.release(reply);
      // @ts-expect-error: they are no answer without memories.
      await attempt.releaseWithoutMemories({ answered: { ...reply, answer: "a" }, onRecord });
      await (await attempt.recall("a", "question")).release({ answered: reply, onRecord });
    },
  ).toBeFunction();
});

test("a receipt has no room for the reason of a recall", () => {
  expectTypeOf((used: UsedMemory, why: Why) => {
    const withWhy = { ...used, why };
    // @ts-expect-error: it quotes words of the question.
    const listed: UsedMemory = withWhy;
    return listed;
  }).toBeFunction();
});

test("an answer that is released without memories cannot carry one", () => {
  expectTypeOf(
    async (
      { releaseWithoutMemories }: Attempt,
      { receipt, opening }: Answered,
      used: UsedMemory,
      onRecord: OnRecord,
    ) => {
      // @ts-expect-error: this receipt may list memories.
      await releaseWithoutMemories({ answered: { answer: "a", receipt, opening }, onRecord });
      const withMemory = { answer: "a", receipt: { ...receipt, usedMemories: [used] }, opening };
      // @ts-expect-error: this one does.
      await releaseWithoutMemories({ answered: withMemory, onRecord });
      const without = { answer: "a", receipt: { ...receipt, usedMemories: [] as const }, opening };
      await releaseWithoutMemories({ answered: without, onRecord });
    },
  ).toBeFunction();
});
