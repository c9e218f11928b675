import type { RecordStore } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { createGatekeeper } from "./gatekeeper.ts";
import { watchInFlight } from "./in-flight-attempts.ts";

type GateRecords = Pick<RecordStore, "changeFeed" | "memories" | "policy">;

/** The gate over these records: it decides, its fences hold, and a change of the policy reaches what is under way. */
export function gateOver(records: GateRecords, limit: number): Pick<Deps, "gatekeeper" | "fences" | "inFlight"> {
  const gatekeeper = createGatekeeper({ records, limit });
  const { passFence } = records.policy;
  return {
    gatekeeper,
    fences: { send: passFence, release: passFence },
    inFlight: watchInFlight(records, gatekeeper),
  };
}
