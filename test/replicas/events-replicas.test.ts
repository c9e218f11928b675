// Events across replicas: each has a store of its own on one PostgreSQL.
import { expect, test } from "vitest";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import type { Principal } from "#core/identity/principal.ts";
import { deliverEvents, type SentEvent } from "#service/events/deliver-events.ts";
import { newMemory, STAMP } from "#test/suites/records/samples.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { testTenant } from "#test/support/tenant.ts";

const agent: Principal = { role: "agent", id: "key:1", name: "one", agentId: "planner", captures: [] };

test("A listener gets what another replica does, and goes on at either of them", async () => {
  const { url } = await databaseForTest();
  const [one, two] = await Promise.all([postgresRecords({ url }), postgresRecords({ url })]);
  const [here, there] = [testTenant({ records: one }), testTenant({ records: two })];
  await two.policy.set({ agentId: "planner", namespace: "n", allowed: true }, STAMP);

  async function listen(tenant: typeof here, lastEventId?: string) {
    const controller = new AbortController();
    const events: SentEvent[] = [];
    const begun = Promise.withResolvers<void>();
    const ended = deliverEvents(tenant, agent, lastEventId, {
      signal: controller.signal,
      send: async (sent) => void events.push(...sent),
      beat: async () => begun.resolve(),
    });
    await Promise.race([begun.promise, ended]);
    return {
      events,
      async stop() {
        controller.abort();
        await ended;
      },
    };
  }

  try {
    const listener = await listen(here);
    const memory = newMemory("x", { createdAt: new Date(0).toISOString() });
    await two.memories.add(memory);
    await expect.poll(() => listener.events.length).toBe(1);
    expect(listener.events[0]).toMatchObject({ name: "memory-captured", data: { memoryId: memory.memoryId } });
    await listener.stop();

    await one.memories.add(newMemory("y", { namespace: "other" }));
    const later = newMemory("z", { createdAt: new Date(0).toISOString() });
    await one.memories.add(later);
    const resumed = await listen(there, listener.events[0]?.id);
    await expect.poll(() => resumed.events.length).toBe(1);
    expect(resumed.events[0]).toMatchObject({ data: { memoryId: later.memoryId } });
    await resumed.stop();
  } finally {
    await one.close();
    await two.close();
  }
});
