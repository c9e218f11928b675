// The gate that judged the claims: it is the one of our package, and has the keys that sign receipts.
import { isSameAddress } from "#core/encoding/address.ts";
import { type ChainGate, readGate } from "#core/ledger/gate-object.ts";
import { objectDigest } from "#core/ledger/move-object.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type Check, type Compared, fail, pass, unknown } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import { envelopeDifference, isOfType } from "./object.ts";

interface ReadGate {
  readonly check: Check;
  /** Present if the check passed. */
  readonly gate?: ChainGate;
}

/** `packageId` is the package that the receipt's object is of. */
export function checkGate(
  { gate: object }: Observation,
  chain: ChainReceipt | undefined,
  packageId: string | undefined,
): ReadGate {
  if (chain === undefined || packageId === undefined)
    return { check: unknown("gate", "needs-object", "Not checked: only a receipt of ours names its gate.") };
  if (object === "unreachable")
    return { check: unknown("gate", "gate-unreachable", "The ledger did not answer when asked for the gate.") };
  // Shared objects are never deleted.
  if (object === "missing") return no("gate-missing", "The ledger does not have the gate that the receipt names.");
  if (!isSameAddress(object.objectId, chain.gate)) {
    const compared = { expected: chain.gate, actual: object.objectId };
    return no(
      "gate-other-id",
      "The ledger answered with another object than the gate that the receipt names.",
      compared,
    );
  }
  const types = { expected: `${packageId}::gate::Gate`, actual: object.type };
  if (!isOfType(object.type, packageId, "Gate"))
    return no("gate-other-type", "What the receipt names as its gate is not a gate of our package.", types);
  if (object.owner !== "shared")
    return no("gate-not-shared", "The gate is not shared. The only gate of our package is.");
  const gate = readGate(object.content);
  if (gate === undefined || !isSameAddress(gate.id, chain.gate))
    return no(
      "gate-malformed",
      "The object has the right type, but cannot be read as a gate that the ledger’s rules allow.",
    );
  const { bcs, digest } = object;
  const difference = bcs && envelopeDifference(object, bcs);
  if (difference !== undefined || (bcs !== undefined && digest !== undefined && objectDigest(bcs) !== digest))
    return no("gate-bytes-differ", "The gate’s bytes and what the ledger says about it differ.", difference?.compared);
  if (bcs === undefined || digest === undefined) {
    const sentence = "The ledger did not return the bytes of the whole gate, or not their digest.";
    return { check: unknown("gate", "gate-bytes-absent", sentence) };
  }
  // Versions only grow. A node may lag behind another one.
  const least = BigInt(chain.policyVersion) + (chain.supersededAtMs === undefined ? 0n : 1n);
  if (gate.version < least) {
    const compared = { expected: `at least ${least}`, actual: String(gate.version) };
    const sentence = "The gate has not closed a version that the receipt tells of. The node may lag: check again.";
    return { check: unknown("gate", "gate-behind", sentence, compared) };
  }
  const sentence = "The gate is the one of our package, which judged the claims and names the keys that sign receipts.";
  return { check: pass("gate", sentence, types), gate };
}

function no(code: Parameters<typeof fail<"gate">>[1], sentence: string, compared?: Compared): ReadGate {
  return { check: fail("gate", code, sentence, compared) };
}
