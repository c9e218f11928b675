// Whatever left for a model or a caller has a record: a receipt that was begun before, and says at the end how far the
// answer got.
import { expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { Overrides } from "#compose.ts";
import { PortcullisError } from "#core/errors.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { BreakReason } from "#core/receipt/receipt.ts";
import type { CompleteOptions, DeploymentRecords, LanguageModel } from "#ports.ts";
import type { GateReport } from "#service/answers/answered.ts";
import { boundedModel } from "#service/answers/bounded-model.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import { recallMemories } from "#service/answers/recall-memories.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import { createBrokenOffQueue } from "#service/receipts/issue-receipt.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked, heard } from "#test/support/asked.ts";
import { testTenant } from "#test/support/tenant.ts";
import { waitFor } from "#test/support/wait-for.ts";

const ASK = { agentId: "companion", query: "What?" };

/** A model that sends its prompt, says a word, and then does what the test wants. */
function modelThat(during: (call: number, options: CompleteOptions) => Promise<void>) {
  const prompts: string[] = [];
  const model: LanguageModel = {
    name: "stand-in",
    async complete({ user }, options) {
      await options.fence(() => void prompts.push(user));
      options.onText?.("word ");
      await during(prompts.length, options);
      return { text: "word ", model: "stand-in of today" };
    },
  };
  return { model, prompts };
}

async function serviceWith(overrides: Overrides): Promise<Tenant> {
  const tenant = testTenant(overrides);
  for (const namespace of ["x", "y"]) {
    await capture(tenant, { namespace, content: `text of ${namespace}`, sourceAgent: "s" });
    await setAccess(tenant, { agentId: ASK.agentId, namespace, allowed: true }, { principal: OPEN });
  }
  return tenant;
}

/** Oldest first. Marks are recorded a moment after the answer ends. */
async function statuses({ records }: Tenant): Promise<[status: string, reason: BreakReason | undefined][]> {
  const { receipts } = await records.receipts.page({ limit: 10 });
  return receipts.map(({ status, reason }) => [status, reason] as [string, BreakReason | undefined]).reverse();
}
const settled = (tenant: Tenant, expected: unknown) =>
  waitFor(async () => expect(await statuses(tenant)).toEqual(expected));

test("the receipt is on record when the prompt leaves, with the agent, the memories and a commitment to the prompt", async () => {
  let tenant: Tenant | undefined;
  const seen: unknown[] = [];
  const { model } = modelThat(async () => {
    const { receipts = [] } = (await tenant?.records.receipts.page({ limit: 10 })) ?? {};
    seen.push(...receipts.map(({ body, status }) => [status, JSON.parse(body)]));
  });
  tenant = await serviceWith({ model });
  const { receipt } = await asked((caller) => chat(tenant as Tenant, ASK, caller));
  const { signature, ...fields } = receipt;
  const { commitments, salts, log, ...evidence } = receipt.evidence;
  const { "/answer": answer, ...beforeTheEnd } = commitments;
  expect(seen).toEqual([
    [
      "begun",
      {
        ...fields,
        evidence: { ...evidence, model: "stand-in", commitments: beforeTheEnd },
        usedMemories: receipt.usedMemories.map(({ verified, intact, snippet, ...known }) => known),
      },
    ],
  ]);
  expect(answer).toHaveLength(64);
  expect(Object.keys(beforeTheEnd)).toEqual(["/prompt", "/question"]);
  expect(await statuses(tenant)).toEqual([["issued", undefined]]);
});

test("the receipt is on record, and the model not asked, when a listener is told what passed the gate", async () => {
  const { model, prompts } = modelThat(async () => undefined);
  const tenant = await serviceWith({ model });
  const seen: unknown[] = [];
  await heard((caller) => {
    const listener = caller.listener && {
      ...caller.listener,
      async gate({ answerId, memories }: GateReport) {
        const [only] = (await tenant.records.receipts.page({ limit: 10 })).receipts;
        const body = JSON.parse(only?.body ?? "{}");
        seen.push([
          only?.status,
          body.answerId === answerId,
          body.usedMemories.length,
          memories.length,
          prompts.length,
        ]);
      },
    };
    return chat(tenant, ASK, { ...caller, ...(listener && { listener }) });
  });
  expect(seen).toEqual([["begun", true, 2, 2, 0]]);
});

test("a revoke between the recall and the gate event leaves no text of what was withdrawn", async () => {
  const { model, prompts } = modelThat(async () => undefined);
  let tenant: Tenant | undefined;
  let begun = 0;
  const records = recordsWith(({ begin }) => ({
    async begin(receipt) {
      begun += 1;
      if (begun === 1)
        await setAccess(
          tenant as Tenant,
          { agentId: ASK.agentId, namespace: "x", allowed: false },
          { principal: OPEN },
        );
      return begin(receipt);
    },
  }));
  tenant = await serviceWith({ model, records });
  const gates: GateReport[] = [];
  await heard((caller) => chat(tenant as Tenant, ASK, caller), [], gates);
  expect(begun).toBe(2);
  expect(gates.map(({ memories }) => memories.map(({ content }) => content))).toEqual([["text of y"]]);
  expect(prompts).toHaveLength(1);
  await settled(tenant, [
    ["broken-off", "policy-changed"],
    ["issued", undefined],
  ]);
});

test("a caller that hangs up in the middle of a stream leaves a receipt that says so", async () => {
  const leaving = new AbortController();
  const { model, prompts } = modelThat(async () => leaving.abort(new Error("gone")));
  const tenant = await serviceWith({ model });
  await expect(heard((caller) => chat(tenant, ASK, { ...caller, signal: leaving.signal }), [])).rejects.toThrow("gone");
  expect(prompts).toHaveLength(1);
  await settled(tenant, [["broken-off", "caller-gone"]]);
});

test.each(["chat", "companion", "recall"] as const)(
  "a caller that goes away while the answer of %s is released leaves a receipt that says so",
  async (route) => {
    const leaving = new AbortController();
    const tenant = await serviceWith({ model: modelThat(async () => undefined).model });
    if (route === "companion")
      for (const namespace of ["x", "y"])
        await setAccess(tenant, { agentId: "companion", namespace, allowed: false }, { principal: OPEN });
    const routes = { chat, companion, recall: recallMemories };
    const run = routes[route](tenant, ASK, { signal: leaving.signal, release: () => leaving.abort(new Error("gone")) });
    await expect(run).rejects.toThrow("gone");
    await settled(tenant, [["broken-off", "caller-gone"]]);
    const [only] = (await tenant.records.receipts.page({ limit: 1 })).receipts;
    expect(JSON.parse(only?.body ?? "").signature.value).toHaveLength(86);
  },
);

test("a model that fails after the prompt has left leaves a receipt that says so", async () => {
  const { model } = modelThat(async () => {
    throw new PortcullisError("model-failed", "It failed.");
  });
  const tenant = await serviceWith({ model });
  await expect(asked((caller) => chat(tenant, ASK, caller))).rejects.toThrow("It failed.");
  await settled(tenant, [["broken-off", "model-failed"]]);
});

test("each prompt of an answer that is made again has a receipt of its own", async () => {
  let tenant: Tenant | undefined;
  const { model, prompts } = modelThat(async (call) => {
    if (call === 1)
      await setAccess(tenant as Tenant, { agentId: ASK.agentId, namespace: "x", allowed: false }, { principal: OPEN });
  });
  tenant = await serviceWith({ model });
  await asked((caller) => chat(tenant as Tenant, ASK, caller));
  expect(prompts).toHaveLength(2);
  await settled(tenant, [
    ["broken-off", "policy-changed"],
    ["issued", undefined],
  ]);
});

test("a prompt that was too long for the model has a receipt, too", async () => {
  const { model, prompts } = modelThat(async (call) => {
    if (call === 1) throw new PortcullisError("prompt-too-long", "Too long.");
  });
  const tenant = await serviceWith({ model });
  for (let i = 0; i < 12; i++)
    await capture(tenant, { namespace: "x", content: `${i} ${"long ".repeat(300)}`, sourceAgent: "s" });
  await asked((caller) => chat(tenant, { ...ASK, query: "What is long?" }, caller));
  expect(prompts).toHaveLength(2);
  await settled(tenant, [
    ["broken-off", "prompt-too-long"],
    ["issued", undefined],
  ]);
});

test("what is refused because the model's line is full leaves no receipt, for nothing left", async () => {
  const held = Promise.withResolvers<void>();
  const { model, prompts } = modelThat(() => held.promise);
  const tenant = await serviceWith({ model: boundedModel(model, { calls: 1, waiting: 0 }) });
  const first = asked((caller) => chat(tenant, ASK, caller));
  await waitFor(() => expect(prompts).toHaveLength(1));
  await expect(asked((caller) => chat(tenant, ASK, caller))).rejects.toMatchObject({ code: "overloaded" });
  held.resolve();
  await first;
  expect(await statuses(tenant)).toEqual([["issued", undefined]]);
});

test("a caller that is gone before the prompt could leave gets no receipt", async () => {
  const { model, prompts } = modelThat(async () => undefined);
  let begun = 0;
  const records = recordsWith(({ begin }) => ({
    begin: (receipt) => {
      begun += 1;
      return begin(receipt);
    },
  }));
  const tenant = await serviceWith({ model, records });
  const signal = AbortSignal.abort(new Error("gone"));
  await expect(asked((caller) => chat(tenant, ASK, { ...caller, signal }))).rejects.toThrow("gone");
  expect([begun, prompts.length]).toEqual([0, 0]);
});

const failing = async () => {
  throw new PortcullisError("records-unavailable", "The disk is full.");
};

function recordsWith(
  replaced: (receipts: DeploymentRecords["receipts"]) => Partial<DeploymentRecords["receipts"]>,
): DeploymentRecords {
  const records = sqliteRecords({ path: ":memory:" });
  return { ...records, receipts: { ...records.receipts, ...replaced(records.receipts) } };
}

test.each(["chat", "companion"] as const)(
  "nothing of %s reaches the model or the caller when the receipt cannot be begun",
  async (route) => {
    const { model, prompts } = modelThat(async () => undefined);
    const tenant = await serviceWith({ model, records: recordsWith(() => ({ begin: failing })) });
    // The companion opens with a sentence of the service's own.
    await setAccess(tenant, { agentId: "companion", namespace: "x", allowed: false }, { principal: OPEN });
    const pieces: string[] = [];
    await expect(heard((caller) => ({ chat, companion })[route](tenant, ASK, caller), pieces)).rejects.toThrow("full");
    expect(prompts).toEqual([]);
    expect(pieces).toEqual([]);
    expect(await statuses(tenant)).toEqual([]);
  },
);

test("a disk that is full at the end leaves the begun receipt, and its end is recorded when there is room again", async () => {
  let isFull = false;
  const records = recordsWith((receipts) => ({
    add: (...given) => (isFull ? failing() : receipts.add(...given)),
    breakOff: (...given) => (isFull ? failing() : receipts.breakOff(...given)),
  }));
  const { model } = modelThat(async () => {
    isFull = true;
  });
  const brokenOff = createBrokenOffQueue(records.receipts, { retryMs: 1 });
  const tenant = await serviceWith({ model, records, brokenOff });
  const pieces: string[] = [];
  await expect(heard((caller) => chat(tenant, ASK, caller), pieces)).rejects.toThrow("full");
  expect(pieces.join("")).toBe("word ");
  expect(await statuses(tenant)).toEqual([["begun", undefined]]);
  isFull = false;
  await settled(tenant, [["broken-off", "records-failed"]]);
});

test.each(["chat", "companion", "recall"] as const)(
  "a receipt of %s that is on record although its commit seemed to fail does not count as issued",
  async (route) => {
    const records = recordsWith((receipts) => ({
      add: async (...given) => {
        await receipts.add(...given);
        throw new PortcullisError("records-unavailable", "The connection was lost.");
      },
    }));
    const tenant = await serviceWith({ model: modelThat(async () => undefined).model, records });
    if (route === "companion")
      for (const namespace of ["x", "y"])
        await setAccess(tenant, { agentId: "companion", namespace, allowed: false }, { principal: OPEN });
    const given: unknown[] = [];
    const run = { chat, companion, recall: recallMemories }[route](tenant, ASK, {
      release: (answered) => void given.push(answered),
    });
    await expect(run).rejects.toThrow("lost");
    expect(given).toEqual([]);
    await settled(tenant, [["broken-off", "records-failed"]]);
  },
);

test("an answer costs one commit more than its receipt", async () => {
  const calls: string[] = [];
  const records = recordsWith((receipts) => ({
    begin: (...given) => receipts.begin(...given).finally(() => calls.push("begin")),
    add: (...given) => receipts.add(...given).finally(() => calls.push("add")),
    breakOff: (...given) => receipts.breakOff(...given).finally(() => calls.push("breakOff")),
  }));
  const tenant = await serviceWith({ model: modelThat(async () => undefined).model, records });
  await asked((caller) => chat(tenant, ASK, caller));
  await asked((caller) =>
    recallMemories(tenant, ASK, { release: (given, lost) => caller.release(given as never, lost) }),
  );
  expect(calls).toEqual(["begin", "add", "add"]);
});
