// The decision log over HTTP: which calls leave a row, who reads which, and that no row holds text.
import { describe, expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { LanguageModel } from "#ports.ts";
import type { Authenticator } from "#service/identity/authenticator.ts";
import { serviceForTest } from "#test/support/service.ts";
import { waitFor } from "#test/support/wait-for.ts";

const CANARY = "zanzibar";
const admin: Principal = { role: "admin", id: "key:admin", name: "ada" };
const auditor: Principal = { role: "auditor", id: "key:auditor", name: "otto" };
const planner: Principal = { role: "agent", id: "key:planner", name: "plan", agentId: "planner", captures: ["diet"] };
const CALLERS = new Map<string | undefined, Principal>([
  ["admin", admin],
  ["auditor", auditor],
  ["planner", planner],
]);
const authenticator: Authenticator = {
  identify: async ({ bearer }) =>
    CALLERS.get(bearer) ?? ({ role: "public", id: "anonymous", name: "anonymous" } as Principal),
};

async function start(model?: LanguageModel) {
  const service = await serviceForTest({ overrides: { authenticator, ...(model && { model }) } });
  const as = (who: string) =>
    createClient({
      baseUrl: service.url,
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${who}` } }),
    });
  return { ...service, as };
}

describe("The decision log", () => {
  test("finds what became of a request by the id of its reply, for whoever may read it", async () => {
    const { as, url } = await start();
    const change = (requestId: string, bearer: string) =>
      fetch(`${url}/api/policy`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          authorization: `Bearer ${bearer}`,
          "x-request-id": requestId,
        },
        body: JSON.stringify({ agentId: "planner", namespace: "finance", allowed: false }),
      });
    const changed = await change("change-1", "admin");
    expect(changed.headers.get("x-request-id")).toBe("change-1");
    const refused = await change("change-2", "planner");
    const { requestId } = (await refused.json()) as { requestId: string };
    await as("planner").chat({ agentId: "planner", query: "dinner?" });
    const found = async (who: string, query: { requestId: string }) =>
      (await as(who).listDecisions(query)).decisions.map(({ route, outcome, requestId }) => [
        route,
        outcome,
        requestId,
      ]);
    expect(await found("auditor", { requestId: "change-1" })).toEqual([["setAccess", "changed", "change-1"]]);
    expect(await found("auditor", { requestId })).toEqual([["setAccess", "refused", requestId]]);
    expect(await found("auditor", { requestId: "nobody-sent-it" })).toEqual([]);
    // The refusal is the planner's own row, and so is the change of its gate, which the admin made.
    expect(await found("planner", { requestId })).toEqual([["setAccess", "refused", requestId]]);
    const { decisions } = await as("auditor").listDecisions({ limit: 1 });
    expect(await found("planner", { requestId: decisions[0]?.requestId ?? "" })).toEqual([
      ["chat", "answered", decisions[0]?.requestId],
    ]);
  });

  test("has a row for each answer, capture, change, anchor and listing, and no text", async () => {
    const { as, url } = await start();
    const { receipt } = await as("planner").chat({ agentId: "planner", query: `${CANARY} for dinner?` });
    await as("planner").recall({ agentId: "planner", query: CANARY });
    await as("admin").companion({ query: CANARY });
    const { memory } = await as("planner").capture({ namespace: "diet", content: CANARY, sourceAgent: "planner" });
    await as("admin").setAccess({ agentId: "planner", namespace: "finance", allowed: false });
    await as("admin").updateMemory({ memoryId: memory.memoryId }, { pinned: true });
    await as("planner").anchorReceipt({ answerId: receipt.answerId });
    await as("planner").listMemories();
    await as("planner").getMemory({ memoryId: memory.memoryId });
    await as("admin").listMemories({ viewAs: "planner", limit: 5 });
    await as("admin").listMemories({ limit: 5 });
    await as("admin").resetDemo();

    const { decisions, nextCursor } = await as("auditor").listDecisions();
    expect(nextCursor).toBeUndefined();
    const brief = decisions.map(({ route, outcome, agentId, principalName }) => [
      route,
      outcome,
      agentId,
      principalName,
    ]);
    expect(brief.reverse()).toEqual([
      ["chat", "answered", "planner", "plan"],
      ["recall", "answered", "planner", "plan"],
      ["companion", "answered", "companion", "ada"],
      ["capture", "captured", "planner", "plan"],
      ["setAccess", "changed", "planner", "ada"],
      ["updateMemory", "changed", undefined, "ada"],
      ["anchorReceipt", "anchored", "planner", "plan"],
      ["listMemories", "given", "planner", "plan"],
      ["getMemory", "given", "planner", "plan"],
      ["listMemories", "given", "planner", "ada"],
      ["resetDemo", "changed", undefined, "ada"],
    ]);
    const answered = decisions.at(-1);
    expect(answered).toMatchObject({
      answerId: receipt.answerId,
      principalId: "key:planner",
      role: "agent",
      policyVersion: receipt.evidence?.policyVersion,
      blockedNamespaces: receipt.blockedNamespaces,
      blockedCount: receipt.blockedNamespaces.length,
      at: receipt.createdAt,
    });
    expect(answered?.allowedNamespaces).toContain("diet");
    const lines = await fetch(`${url}/api/decisions`, {
      headers: { accept: "application/x-ndjson", authorization: "Bearer auditor" },
    }).then((response) => response.text());
    expect(lines.trim().split("\n")).toHaveLength(decisions.length);
    expect(lines).not.toContain(CANARY);
  });

  test("has a row for each refusal of a known caller, and none for a stranger or a mistake", async () => {
    const { as } = await start();
    await expect(
      as("planner").setAccess({ agentId: "planner", namespace: "health", allowed: true }),
    ).rejects.toMatchObject({ status: 403 });
    await expect(as("planner").chat({ agentId: "companion", query: "?" })).rejects.toMatchObject({ status: 403 });
    await expect(as("stranger").chat({ agentId: "planner", query: "?" })).rejects.toMatchObject({ status: 401 });
    await expect(as("planner").chat({ agentId: "planner", query: "" })).rejects.toMatchObject({ status: 400 });
    const { decisions } = await as("auditor").listDecisions();
    expect(decisions.map(({ route, outcome, agentId }) => [route, outcome, agentId])).toEqual([
      ["chat", "refused", "planner"],
      ["setAccess", "refused", "planner"],
    ]);
  });

  test("has a row for a blob that an agent reads in mock mode, and none for one that is public", async () => {
    const { as, url } = await start();
    const { memory } = await as("planner").capture({ namespace: "diet", content: CANARY, sourceAgent: "planner" });
    await as("admin").setAccess({ agentId: "planner", namespace: "diet", allowed: true });
    const blobRows = async () => {
      const headers = { authorization: "Bearer planner" };
      expect((await fetch(`${url}/v1/blobs/${memory.storeRef}`, { headers })).status).toBe(200);
      const { decisions } = await as("auditor").listDecisions();
      return decisions.filter(({ route }) => route === "blob").map(({ outcome, agentId }) => [outcome, agentId]);
    };
    expect(await blobRows()).toEqual([["given", "planner"]]);
    const { receipt } = await as("planner").chat({ agentId: "planner", query: `What about ${CANARY}?` });
    expect(receipt.usedMemories.map(({ memoryId }) => memoryId)).toContain(memory.memoryId);
    await as("planner").anchorReceipt({ answerId: receipt.answerId });
    expect(await blobRows()).toEqual([["given", "planner"]]);
  });

  test("has a row for an answer that failed", async () => {
    const model: LanguageModel = { name: "none", complete: () => Promise.reject(new Error(CANARY)) };
    const { as } = await start(model);
    await expect(as("planner").chat({ agentId: "planner", query: "Dinner?" })).rejects.toMatchObject({ status: 500 });
    // One row for the request, and one for the answer that was begun.
    await waitFor(async () => {
      const { decisions } = await as("auditor").listDecisions();
      expect(decisions.map(({ route, outcome, agentId }) => [route, outcome, agentId]).sort()).toEqual([
        ["chat", "broken-off", "planner"],
        ["chat", "failed", "planner"],
      ]);
    });
  });

  test("gives an agent its own rows only, without sequences, page by page", async () => {
    const { as } = await start();
    for (const agentId of ["planner", "advisor", "planner", "advisor", "planner"])
      await as("admin").recall({ agentId, query: "Dinner?" });
    const first = await as("planner").listDecisions({ limit: 2 });
    expect(first.decisions).toHaveLength(2);
    const rest = await as("planner").listDecisions({ cursor: first.nextCursor });
    const own = [...first.decisions, ...rest.decisions];
    expect(own.map(({ agentId, sequence }) => [agentId, sequence])).toEqual(Array(3).fill(["planner", undefined]));
    await expect(as("planner").listDecisions({ agentId: "advisor" })).rejects.toMatchObject({ status: 403 });
    await expect(as("planner").listDecisions({ cursor: "A".repeat(22) })).rejects.toMatchObject({ status: 400 });
    const { decisions } = await as("auditor").listDecisions({ agentId: "advisor", outcome: "answered" });
    expect(decisions).toHaveLength(2);
    const [newest] = decisions;
    const later = await as("auditor").listDecisions({ from: newest?.at, agentId: "advisor" });
    expect(later.decisions.map(({ id: _, ...row }) => row)).toContainEqual(
      expect.objectContaining({ sequence: newest?.sequence }),
    );
    expect((await as("auditor").listDecisions({ to: decisions.at(-1)?.at, agentId: "advisor" })).decisions).toEqual([]);
  });
});
