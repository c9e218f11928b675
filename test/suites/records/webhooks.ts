import { describe, expect, onTestFinished, test } from "vitest";
import type { DeploymentRecords, TenantRecord, Webhook } from "#ports.ts";
import { AT, newMemory } from "./samples.ts";

const LATER = "2027-01-02T03:04:05.678Z";
const hook = (webhookId: string, more: Partial<Webhook> = {}): Webhook => ({
  webhookId,
  url: "https://example.com/hook",
  kinds: ["memory-captured"],
  owner: { id: "key_1", name: "ada", role: "admin", keyId: "key_1" },
  createdAt: AT,
  position: 0,
  failures: 0,
  nextAt: AT,
  ...more,
});

export function webhookSuite(name: string, open: () => Promise<DeploymentRecords>): void {
  describe(`webhooks in ${name}`, () => {
    async function opened() {
      const deployment = await open();
      onTestFinished(() => deployment.close());
      const tenants = await Promise.all(["a", "b"].map((id) => deployment.tenants.create(id, AT)));
      const [a, b] = tenants.map((tenant) => deployment.recordsOf(tenant as TenantRecord));
      if (a === undefined || b === undefined) throw new Error("There are no tenants.");
      return { deployment, a, b };
    }

    test("are kept by tenant, up to a number", async () => {
      const { a, b } = await opened();
      expect(await a.webhooks.add(hook("hook_1"), 1)).toBe(true);
      expect(await a.webhooks.add(hook("hook_2"), 1)).toBe(false);
      expect(await b.webhooks.add(hook("hook_1"), 1)).toBe(true);
      expect(await a.webhooks.list()).toEqual([hook("hook_1")]);
      expect(await a.webhooks.remove("hook_1")).toBe(true);
      expect([await a.webhooks.list(), await a.webhooks.remove("hook_1")]).toEqual([[], false]);
      expect(await b.webhooks.list()).toHaveLength(1);
    });

    test("are taken by one at a time, when their tenant has events that were not sent", async () => {
      const { deployment, a, b } = await opened();
      await a.webhooks.add(hook("hook_1"), 9);
      await b.webhooks.add(hook("hook_2"), 9);
      const due = async () => (await deployment.dueWork.webhooks(AT, 9)).map(({ id }) => id);
      expect(await due()).toEqual([]);
      await a.memories.add(newMemory("first"));
      expect(await due()).toEqual(["a"]);
      const takes = await Promise.all([a.webhooks.take(AT, LATER), a.webhooks.take(AT, LATER)]);
      expect(takes.flat().map(({ webhookId, nextAt }) => [webhookId, nextAt])).toEqual([["hook_1", LATER]]);
      expect(await due()).toEqual([]);
      const { head } = await a.events.position();
      await a.webhooks.progress({ webhookId: "hook_1", position: head, failures: 0, nextAt: AT });
      expect([await due(), await a.webhooks.take(AT, LATER)]).toEqual([[], []]);
      await a.memories.add(newMemory("second"));
      expect(await due()).toEqual(["a"]);
      await a.webhooks.end("hook_1", LATER);
      expect(await due()).toEqual([]);
      expect(await a.webhooks.list()).toMatchObject([{ endedAt: LATER }]);
    });

    test("show their last deliveries, newest first, and none once they are removed", async () => {
      const { a } = await opened();
      await a.webhooks.add(hook("hook_1"), 9);
      const progress = { webhookId: "hook_1", position: 1, failures: 1, nextAt: LATER };
      const delivery = { messageId: "msg_1", kind: "memory-captured", at: AT } as const;
      await a.webhooks.progress(progress, { ...delivery, attempt: 1, error: "no reply" });
      await a.webhooks.progress({ ...progress, failures: 0 }, { ...delivery, attempt: 2, status: 204 });
      for (let i = 0; i < 200; i++) await a.webhooks.progress(progress, { ...delivery, attempt: 1, status: 200 });
      const first = await a.webhooks.deliveries("hook_1", { limit: 150 });
      const rest = await a.webhooks.deliveries("hook_1", { limit: 150, before: first.next });
      const numbers = [...first.deliveries, ...rest.deliveries].map(({ number }) => number);
      expect([numbers.length, numbers[0], numbers.at(-1), rest.next]).toEqual([200, 202, 3, undefined]);
      expect(await a.webhooks.list()).toMatchObject([{ position: 1, failures: 1, nextAt: LATER }]);
      await a.webhooks.remove("hook_1");
      await a.webhooks.progress(progress, { ...delivery, attempt: 1, status: 200 });
      expect((await a.webhooks.deliveries("hook_1", { limit: 9 })).deliveries).toEqual([]);
    });
  });
}
