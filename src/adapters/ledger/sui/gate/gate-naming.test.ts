import { expect, test } from "vitest";
import type { WriteOnceValues } from "#ports.ts";
import { createGateNaming, refuseOtherNames } from "./gate-naming.ts";

function valuesInMemory(): WriteOnceValues {
  const values = new Map<string, Uint8Array>();
  return {
    async putIfAbsent(name, value) {
      if (!values.has(name)) values.set(name, value);
      return values.get(name) ?? value;
    },
    find: async (name) => values.get(name),
  };
}

test("what a gate said once is demanded at the next start without asking it", async () => {
  const parts = { gateId: "0x1", values: valuesInMemory() };
  await refuseOtherNames({ ...parts, wanted: "plain" });
  await createGateNaming(parts)({ pseudonyms: true, isEmpty: false } as Parameters<
    ReturnType<typeof createGateNaming>
  >[0]);
  await expect(refuseOtherNames({ ...parts, wanted: "plain" })).rejects.toThrow(
    "has pseudonyms for ever, and LEDGER_NAMES demands plain names",
  );
  await refuseOtherNames({ ...parts, wanted: "pseudonyms" });
  await refuseOtherNames(parts);
  await refuseOtherNames({ ...parts, gateId: "0x2", wanted: "plain" });
});
