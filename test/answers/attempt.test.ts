import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { Overrides } from "#compose.ts";
import { PortcullisError } from "#core/errors.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { CompleteOptions, DeploymentRecords, LanguageModel } from "#ports.ts";
import type { Caller } from "#service/answers/caller.ts";
import { chat } from "#service/answers/chat.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked, heard } from "#test/support/asked.ts";
import { testTenant } from "#test/support/tenant.ts";

const ASK = { agentId: "a", query: "What?" };

/** Runs `during` while the model works, once for each of its answers. */
function slowModel(during: (tenant: Tenant, call: number, options: CompleteOptions) => Promise<void>) {
  const prompts: string[] = [];
  const aborted: boolean[] = [];
  let tenant: Tenant | undefined;
  const model: LanguageModel = {
    name: "slow",
    async complete({ user }, options) {
      await options.fence(() => void prompts.push(user));
      options.onText?.("one ");
      await during(tenant as Tenant, prompts.length, options);
      aborted.push(options.signal?.aborted ?? false);
      options.signal?.throwIfAborted();
      options.onText?.("two");
      return { text: "one two", model: "slow" };
    },
  };
  return {
    prompts,
    aborted,
    async open(overrides: Overrides = {}): Promise<Tenant> {
      tenant = testTenant({ model, ...overrides });
      for (const namespace of ["x", "y"]) {
        await capture(tenant, { namespace, content: `text of ${namespace}`, sourceAgent: "s" });
        await set(tenant, namespace, true);
      }
      return tenant;
    },
  };
}

const set = (tenant: Tenant, namespace: string, allowed: boolean, agentId = "a") =>
  setAccess(tenant, { agentId, namespace, allowed }, { principal: OPEN });
const run = (tenant: Tenant) => (caller: Caller) => chat(tenant, ASK, caller);

describe("a policy that changes while the model works", () => {
  test("aborts the call at once, and makes the answer again without what was taken away", async () => {
    const world = slowModel(async (tenant, call, { signal }) => {
      if (call > 1) return;
      const gaveUp = new Promise((resolve) => signal?.addEventListener("abort", resolve));
      await set(tenant, "x", false);
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

  test("leaves an answer alone whose read set it does not touch", async () => {
    const world = slowModel(async (tenant) => {
      await set(tenant, "x", false, "another");
      await set(tenant, "z", true);
    });
    await asked(run(await world.open()));
    expect(world.prompts.length).toBe(1);
  });

  test("restarts the listener when pieces were released before", async () => {
    const world = slowModel(async (tenant, call) => {
      if (call === 1) await set(tenant, "x", false);
    });
    const pieces: string[] = [];
    const { answer } = await heard(run(await world.open()), pieces);
    expect(pieces.join("")).toBe(answer);
    expect(world.prompts.length).toBe(2);
  });

  test("makes an answer stale three times at most, and then rejects with policy-changed", async () => {
    const world = slowModel(async (tenant, call) => {
      // The namespace that is open is closed, and the other opened.
      await set(tenant, call % 2 === 1 ? "x" : "y", false);
      await set(tenant, call % 2 === 1 ? "y" : "x", true);
    });
    const tenant = await world.open();
    await set(tenant, "y", false);
    await expect(asked(run(tenant))).rejects.toMatchObject({ code: "policy-changed" });
    expect(world.prompts.length).toBe(3);
  });

  test("makes no further attempt for a caller who has gone away", async () => {
    const leaving = new AbortController();
    const world = slowModel(async (tenant) => {
      await set(tenant, "x", false);
      leaving.abort(new Error("gone"));
    });
    await expect(asked(run(await world.open()), leaving.signal)).rejects.toThrow("gone");
    expect(world.prompts.length).toBe(1);
  });
});

describe("a fence that cannot be passed", () => {
  test.each([
    ["before the prompt leaves", 1],
    ["before the answer is released", 2],
  ])("ends the answer when the records do not answer %s", async (_, broken) => {
    const world = slowModel(async () => undefined);
    const released: unknown[] = [];
    const { records, failFrom } = failingFence();
    const tenant = await world.open({ records });
    failFrom(broken);
    const run = chat(tenant, ASK, { release: (answered) => void released.push(answered) });
    await expect(run).rejects.toThrow("no records");
    expect(released).toEqual([]);
    expect(world.prompts.length).toBe(broken - 1);
  });
});

describe("a fence that is lost", () => {
  const lost = () => new PortcullisError("records-unavailable", "The lock was lost.");

  test.each([
    ["before the prompt leaves", 1],
    ["before the answer is released", 2],
  ])("has the answer made again, %s", async (_, broken) => {
    const world = slowModel(async () => undefined);
    const { records, failFrom } = failingFence(lost);
    const tenant = await world.open({ records });
    failFrom(broken);
    const { answer, receipt } = await asked(run(tenant));
    expect(answer).toBe("one two");
    expect(world.prompts).toHaveLength(broken);
    expect(receipt.usedMemories).toHaveLength(2);
  });

  test("for good ends the answer after three attempts", async () => {
    const world = slowModel(async () => undefined);
    const { records, failFrom } = failingFence(lost, true);
    const tenant = await world.open({ records });
    failFrom(2);
    await expect(asked(run(tenant))).rejects.toMatchObject({ code: "records-unavailable" });
    expect(world.prompts).toHaveLength(1);
  });

  test("while the caller is given the answer ends it: nobody gets one twice", async () => {
    const world = slowModel(async () => undefined);
    const tenant = await world.open();
    const released: unknown[] = [];
    const asking = chat(tenant, ASK, {
      release(answered) {
        released.push(answered);
        throw lost();
      },
    });
    await expect(asking).rejects.toMatchObject({ code: "records-unavailable" });
    expect(released).toHaveLength(1);
  });
});

test("an answer that is given in part is not made again, although its model was lost once before and tried again", async () => {
  const { records, failFrom } = failingFence(() => new PortcullisError("records-unavailable", "The lock was lost."));
  const model: LanguageModel = {
    name: "patient",
    async complete(_, { fence }) {
      await fence(() => undefined).catch(() => fence(() => undefined));
      return { text: "one", model: "patient" };
    },
  };
  const tenant = testTenant({ model, records });
  await capture(tenant, { namespace: "x", content: "text of x", sourceAgent: "s" });
  await set(tenant, "x", true);
  failFrom(1);
  let given = 0;
  const asking = chat(tenant, ASK, {
    release() {
      given += 1;
      throw new PortcullisError("records-unavailable", "The lock was lost.");
    },
  });
  await expect(asking).rejects.toMatchObject({ code: "records-unavailable" });
  expect(given).toBe(1);
});

/** Records whose fence fails when it is passed for the nth time from when that is said, and perhaps ever after. */
function failingFence(
  error = () => new Error("no records"),
  forGood = false,
): { readonly records: DeploymentRecords; failFrom(nth: number): void } {
  const records = sqliteRecords({ path: ":memory:" });
  let passesLeft = Number.POSITIVE_INFINITY;
  const policy: DeploymentRecords["policy"] = {
    ...records.policy,
    async passFence(readSet, action) {
      passesLeft -= 1;
      if (passesLeft === 0 || (forGood && passesLeft < 0)) throw error();
      return records.policy.passFence(readSet, action);
    },
  };
  function failFrom(nth: number) {
    passesLeft = nth;
  }
  return { records: { ...records, policy }, failFrom };
}
