import { describe, expect, it } from "vitest";
import type { CompleteOptions, LanguageModel } from "#ports.ts";
import type { Caller } from "#service/answers/attempt.ts";
import { chat } from "#service/answers/chat.ts";
import type { Deps } from "#service/deps.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import { asked, heard } from "#test/support/asked.ts";
import { testDeps } from "#test/support/deps.ts";

const ASK = { agentId: "a", query: "What?" };

/** Runs `during` while the model works, once for each of its answers. */
function slowModel(during: (deps: Deps, call: number, options: CompleteOptions) => Promise<void>) {
  const prompts: string[] = [];
  const aborted: boolean[] = [];
  let deps: Deps | undefined;
  const model: LanguageModel = {
    name: "slow",
    async complete({ user }, options) {
      await options.fence(() => void prompts.push(user));
      options.onText?.("one ");
      await during(deps as Deps, prompts.length, options);
      aborted.push(options.signal?.aborted ?? false);
      options.signal?.throwIfAborted();
      options.onText?.("two");
      return { text: "one two", model: "slow" };
    },
  };
  return {
    prompts,
    aborted,
    async open(): Promise<Deps> {
      deps = testDeps({ model });
      for (const namespace of ["x", "y"]) {
        await capture(deps, { namespace, content: `text of ${namespace}`, sourceAgent: "s" });
        await set(deps, namespace, true);
      }
      return deps;
    },
  };
}

const set = (deps: Deps, namespace: string, allowed: boolean, agentId = "a") =>
  setAccess(deps, { agentId, namespace, allowed }, "test");
const run = (deps: Deps) => (caller: Caller) => chat(deps, ASK, caller);

describe("a policy that changes while the model works", () => {
  it("has the call given up at once, and the answer made again without what was taken away", async () => {
    const world = slowModel(async (deps, call, { signal }) => {
      if (call > 1) return;
      const gaveUp = new Promise((resolve) => signal?.addEventListener("abort", resolve));
      await set(deps, "x", false);
      await gaveUp;
    });
    const { answer, receipt } = await asked(run(await world.open()));
    expect(answer).toBe("one two");
    expect(world.aborted).toEqual([true, false]);
    expect(world.prompts[0]).toContain("text of x");
    expect(world.prompts[1]).not.toContain("text of x");
    expect(receipt.usedMemories.map(({ namespace }) => namespace)).toEqual(["y"]);
    expect(receipt.blockedNamespaces).toEqual(["x"]);
    expect(receipt.evidence.policyVersion).toBe(3);
  });

  it("does not matter when it touches nothing of the answer", async () => {
    const world = slowModel(async (deps) => {
      await set(deps, "x", false, "another");
      await set(deps, "z", true);
    });
    await asked(run(await world.open()));
    expect(world.prompts.length).toBe(1);
  });

  it("makes the listener forget what it was told", async () => {
    const world = slowModel(async (deps, call) => {
      if (call === 1) await set(deps, "x", false);
    });
    const pieces: string[] = [];
    const { answer } = await heard(run(await world.open()), pieces);
    expect(pieces.join("")).toBe(answer);
    expect(world.prompts.length).toBe(2);
  });

  it("is followed twice, and then the caller is told to ask again", async () => {
    const world = slowModel(async (deps, call) => {
      // The namespace that is open is closed, and the other opened.
      await set(deps, call % 2 === 1 ? "x" : "y", false);
      await set(deps, call % 2 === 1 ? "y" : "x", true);
    });
    const deps = await world.open();
    await set(deps, "y", false);
    await expect(asked(run(deps))).rejects.toMatchObject({ code: "policy-changed" });
    expect(world.prompts.length).toBe(3);
  });

  it("does not keep who has gone from going", async () => {
    const leaving = new AbortController();
    const world = slowModel(async (deps) => {
      await set(deps, "x", false);
      leaving.abort(new Error("gone"));
    });
    await expect(asked(run(await world.open()), leaving.signal)).rejects.toThrow("gone");
    expect(world.prompts.length).toBe(1);
  });
});

describe("a fence that cannot be passed", () => {
  it.each(["send", "release"] as const)("ends the answer when the records do not answer: %s", async (fence) => {
    const world = slowModel(async () => undefined);
    const deps = await world.open();
    const broken = () => Promise.reject(new Error("no records"));
    const released: unknown[] = [];
    const run = chat({ ...deps, fences: { ...deps.fences, [fence]: broken } }, ASK, {
      release: (answered) => void released.push(answered),
    });
    await expect(run).rejects.toThrow("no records");
    expect(released).toEqual([]);
    expect(world.prompts.length).toBe(fence === "send" ? 0 : 1);
  });
});
