import { describe, expect, onTestFinished, test } from "vitest";
import type { DeploymentRecords, TenantRecord, WaitingProposal } from "#ports.ts";
import { AT, FAR_OFF, LONG_AGO, newMemory, receipt, STAMP } from "./samples.ts";

const proposal = (proposalId: string, more: Partial<WaitingProposal> = {}): WaitingProposal => ({
  proposalId,
  namespace: "n",
  agentId: "a",
  answerId: "ans_0001",
  createdAt: AT,
  expiresAt: FAR_OFF,
  text: "{}",
  encrypted: false,
  ...more,
});
const NONE = { shown: [], most: 9 };
const decidedBy = (who: string) => ({ proposalId: "prop_1", decidedBy: who, at: AT, until: FAR_OFF });
const declined = (proposalId: string, digest: string) => ({ ...decidedBy("d"), proposalId, digest });

export function proposalSuite(name: string, open: () => Promise<DeploymentRecords>): void {
  describe(`proposals in ${name}`, () => {
    async function opened() {
      const deployment = await open();
      onTestFinished(() => deployment.close());
      const tenants = await Promise.all(["a", "b"].map((id) => deployment.tenants.create(id, AT)));
      const [a, b] = tenants.map((tenant) => deployment.recordsOf(tenant as TenantRecord));
      if (a === undefined || b === undefined) throw new Error("There are no tenants.");
      const idsIn = async (records: typeof a, filter: object = {}) =>
        (await records.proposals.page({ limit: 9, ...filter })).proposals.map(({ proposalId }) => proposalId);
      return { deployment, a, b, idsIn };
    }

    test("are kept by tenant, newest first, up to a number", async () => {
      const { a, b, idsIn } = await opened();
      await a.proposals.add([proposal("prop_1"), proposal("prop_2", { namespace: "m", agentId: "b" })], NONE);
      await expect(a.proposals.add([proposal("prop_3")], { shown: [], most: 2 })).rejects.toMatchObject({
        code: "limit-reached",
      });
      expect(await a.proposals.find("prop_1")).toEqual(proposal("prop_1"));
      expect(await b.proposals.find("prop_1")).toBeUndefined();
      expect([await idsIn(a), await idsIn(b)]).toEqual([["prop_2", "prop_1"], []]);
      expect(await idsIn(a, { namespaces: ["n"] })).toEqual(["prop_1"]);
      expect(await idsIn(a, { namespaces: [] })).toEqual([]);
      expect(await idsIn(a, { agentId: "b" })).toEqual(["prop_2"]);
      expect(await idsIn(a, { createdBefore: AT })).toEqual([]);
      expect(await idsIn(a, { before: "prop_2" })).toEqual(["prop_1"]);
      await b.proposals.drop({});
      await a.proposals.drop({ proposalIds: ["prop_1"] });
      expect(await idsIn(a)).toEqual(["prop_2"]);
      await a.proposals.drop({ agentId: "b" });
      expect(await idsIn(a)).toEqual([]);
    });

    test("end by their time, and the tenant is due then", async () => {
      const { deployment, a, idsIn } = await opened();
      await a.proposals.add([proposal("prop_1", { expiresAt: LONG_AGO }), proposal("prop_2")], NONE);
      expect([await idsIn(a), await a.proposals.find("prop_1")]).toEqual([["prop_2"], undefined]);
      const times = { keysBefore: 0, begunBefore: "", eventsBefore: "", decisionsBefore: "" };
      const due = async () => (await deployment.dueWork.look({ after: 0, limit: 9, ...times })).due.map(({ id }) => id);
      expect(await due()).toEqual(["a"]);
      await a.proposals.sweep();
      expect([await due(), await idsIn(a)]).toEqual([[], ["prop_2"]]);
    });

    test("are decided once, and lose their text then; one that is accepted is recorded with its memory", async () => {
      const { a } = await opened();
      await a.proposals.add([proposal("prop_1")], NONE);
      const memories = ["x", "y"].map((content) => newMemory(content));
      const [refused, ...added] = await Promise.allSettled([
        a.proposals.decline(declined("prop_1", "x"), undefined),
        ...memories.map((memory, i) => a.memories.add(memory, undefined, undefined, decidedBy(`${i}`))),
      ]);
      const done = added.filter(({ status }) => status === "fulfilled").length;
      const isDeclined = refused?.status === "fulfilled" && refused.value === true;
      expect(done + (isDeclined ? 1 : 0)).toBe(1);
      const { byNamespace } = await a.memories.counts();
      expect(byNamespace.get("n") ?? 0).toBe(done);
      expect(await a.proposals.find("prop_1")).not.toHaveProperty("text");
      expect(await a.proposals.find("prop_1")).toHaveProperty("decidedBy");
      expect(await a.proposals.decline(declined("prop_1", "x"), undefined)).toBe(false);
    });

    test("that were declined are known by their digests, by agent, until their time is over or their memory is gone", async () => {
      const { a, b } = await opened();
      const memory = newMemory("shown");
      await a.memories.add(memory);
      await a.receipts.add(receipt(1, { memoryIds: [memory.memoryId] }));
      await a.proposals.add([proposal("prop_1")], { shown: [memory.memoryId], most: 9 });
      const others = ["prop_2", "prop_3"].map((id) => proposal(id, { answerId: "ans_0002" }));
      await a.proposals.add([...others, proposal("prop_4", { agentId: "b" })], NONE);
      for (const [id, digest] of [
        ["prop_1", "x"],
        ["prop_2", "y"],
        ["prop_4", "z"],
      ] as const)
        expect(await a.proposals.decline(declined(id, digest), undefined)).toBe(true);
      await a.proposals.decline({ ...declined("prop_3", "w"), until: LONG_AGO }, undefined);
      const known = async (records = a, agentId = "a") =>
        [...(await records.proposals.declined(agentId, ["w", "x", "y", "z", "q"]))].sort();
      expect([await known(), await known(a, "b"), await known(b)]).toEqual([["x", "y"], ["z"], []]);
      await a.memories.forget({ memoryIds: [memory.memoryId], cause: "forgotten" }, STAMP);
      expect(await known()).toEqual(["y"]);
    });

    test("become the memory that has the same fact already", async () => {
      const { a } = await opened();
      await a.proposals.add([proposal("prop_1")], NONE);
      const known = newMemory("known");
      await a.memories.add(known);
      const again = await a.memories.add({ ...known, memoryId: "mem_x" }, undefined, undefined, decidedBy("d"));
      expect(again.memoryId).toBe(known.memoryId);
      expect(await a.proposals.find("prop_1")).toMatchObject({ memoryId: known.memoryId });
    });

    test("go with a memory that their extractor was shown, and are not added once it is gone", async () => {
      const { a, idsIn } = await opened();
      const [first, second] = [newMemory("first"), newMemory("second")];
      for (const memory of [first, second]) await a.memories.add(memory);
      const shown = [first.memoryId, second.memoryId];
      await a.receipts.add(receipt(1, { memoryIds: shown }));
      await a.proposals.add([proposal("prop_1")], { shown, most: 9 });
      await a.proposals.add([proposal("prop_2", { answerId: "ans_0002" })], NONE);
      await a.memories.forget({ memoryIds: [second.memoryId], cause: "forgotten" }, STAMP);
      expect(await idsIn(a)).toEqual(["prop_2"]);
      await a.proposals.add([proposal("prop_3")], { shown, most: 9 });
      expect(await idsIn(a)).toEqual(["prop_2"]);
    });
  });
}
