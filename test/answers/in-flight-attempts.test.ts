import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { RecordStore } from "#ports.ts";
import { watchInFlightAttempts } from "#service/answers/attempts/in-flight-attempts.ts";

test("an attempt that begins while the memories of others are looked up is left alone, and the others are aborted", async () => {
  let onChange: () => void = () => undefined;
  const lookedUp = Promise.withResolvers<ReadonlySet<string>>();
  const asked = Promise.withResolvers<readonly string[]>();
  const records = {
    policy: {
      onChange(listener: () => void) {
        onChange = listener;
      },
    },
    memories: {
      current(memoryIds: readonly string[]) {
        asked.resolve(memoryIds);
        return lookedUp.promise;
      },
    },
  } as unknown as Pick<RecordStore, "policy" | "memories">;
  const policyMirror = {
    fenceState: async () => ({ policyVersion: 1, policyDigest: "", removals: 5 }),
    lastOf: () => policyFrom([{ agentId: "a", namespace: "n", allowed: true }]),
  };
  const inFlight = watchInFlightAttempts(records, policyMirror);
  const stale: string[] = [];
  const aborted = Promise.withResolvers<void>();
  const add = (name: string, removals: number, memoryIds: string[]) =>
    inFlight.add({
      readSet: { agentId: "a", namespaces: ["n"], policyVersion: 1, removals, memoryIds },
      onStale() {
        stale.push(name);
        aborted.resolve();
      },
    });
  add("uses what is left", 4, ["mem_left"]);
  add("uses what is gone", 4, ["mem_gone"]);
  onChange();
  expect(await asked.promise).toEqual(["mem_left", "mem_gone"]);
  // Another removal came before it began, so it is not of the state that was looked up.
  add("begins meanwhile", 6, ["mem_new"]);
  lookedUp.resolve(new Set(["mem_left"]));
  await aborted.promise;
  await new Promise((resolve) => setImmediate(resolve));
  expect(stale).toEqual(["uses what is gone"]);
});
