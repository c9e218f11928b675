import fc from "fast-check";
import { expect, test } from "vitest";
import type { Principal } from "./principal.ts";
import { type HappenedEvent, visibleTo } from "./visible-events.ts";

const AT = "2026-01-02T03:04:05.678Z";
const names = fc.constantFrom("mine", "open", "closed", "__proto__");
const events: fc.Arbitrary<HappenedEvent> = fc.oneof(
  fc.record({
    kind: fc.constant("policy-changed" as const),
    at: fc.constant(AT),
    version: fc.nat(),
    changed: fc.record({ agentId: names, namespace: names, allowed: fc.constantFrom(true, false, null) }),
  }),
  fc.record({
    kind: fc.constant("memory-captured" as const),
    at: fc.constant(AT),
    memoryId: fc.uuid(),
    namespace: names,
    sourceAgent: names,
  }),
  fc.record({
    kind: fc.constantFrom("receipt-issued" as const, "receipt-anchored" as const),
    at: fc.constant(AT),
    answerId: fc.uuid(),
    agentId: fc.oneof(names, fc.constant(null)),
  }),
);
const agent: Principal = { role: "agent", id: "k", name: "k", agentId: "mine", captures: [] };
const mayUse = (namespace: string) => namespace === "open";

test("An agent gets its own row, its own receipts and its allowed namespaces, and no version", () => {
  fc.assert(
    fc.property(events, (event) => {
      const seen = visibleTo(agent, event, mayUse);
      const isOwn = event.changed?.agentId === "mine" || event.agentId === "mine" || event.namespace === "open";
      expect(seen !== undefined).toBe(isOwn);
      expect(seen?.data ?? {}).not.toHaveProperty("version");
    }),
  );
});

test("What an agent gets of a log is the same whatever else is in the log", () => {
  const seenIn = (log: readonly HappenedEvent[]) => log.flatMap((event) => visibleTo(agent, event, mayUse) ?? []);
  fc.assert(
    fc.property(fc.array(events), fc.infiniteStream(events), (log, others) => {
      const isForeign = (event: HappenedEvent) => visibleTo(agent, event, mayUse) === undefined;
      const replaced = log.flatMap((event) => {
        if (!isForeign(event)) return [event];
        const other = others.next().value as HappenedEvent;
        return isForeign(other) ? [other, other] : [];
      });
      expect(seenIn(replaced)).toEqual(seenIn(log));
    }),
  );
});

test("A reset is for everybody but the public, and nothing is for the public", () => {
  const reset: HappenedEvent[] = [
    { kind: "memory-forgotten", at: AT },
    { kind: "policy-changed", at: AT },
  ];
  const roles: Principal[] = [
    agent,
    { role: "admin", id: "k", name: "k" },
    { role: "auditor", id: "k", name: "k" },
    { role: "namespace-admin", id: "k", name: "k", namespaces: [] },
  ];
  for (const event of reset) {
    for (const role of roles) expect(visibleTo(role, event, mayUse)).toEqual({ kind: event.kind, data: { at: AT } });
    expect(visibleTo({ role: "public", id: "k", name: "k" }, event, () => true)).toBeUndefined();
  }
});
