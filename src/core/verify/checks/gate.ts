// The gate that judged the claims: it is the one of our package, and has the keys that sign receipts.
import { isSameAddress } from "#core/encoding/address.ts";
import { type ChainGate, readClosing, readGate } from "#core/ledger/gate-object.ts";
import { objectDigest } from "#core/ledger/move-object.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type Check, type Compared, type FailCode, fail, pass, unknown } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import { isoTime } from "./chain-receipt.ts";
import { envelopeDifference, isOfType } from "./object.ts";

interface ReadGate {
  readonly check: Check;
  readonly gate?: ChainGate;
}

export function checkGate({ packageId, gate: object }: Observation, chain: ChainReceipt | undefined): ReadGate {
  if (chain === undefined)
    return { check: unknown("gate", "needs-object", "Not checked: only a receipt of ours names its policy object.") };
  if (object === "unreachable")
    return {
      check: unknown("gate", "gate-unreachable", "The ledger did not answer when asked for the policy object."),
    };
  // Shared objects are never deleted.
  if (object === "missing")
    return no("gate-missing", "The ledger does not have the policy object that the receipt names.");
  if (!isSameAddress(object.objectId, chain.gate)) {
    const compared = { expected: chain.gate, actual: object.objectId };
    return no(
      "gate-other-id",
      "The ledger answered with another object than the policy object that the receipt names.",
      compared,
    );
  }
  const types = { expected: `${packageId}::gate::Gate`, actual: object.type };
  if (!isOfType(object.type, packageId, "Gate"))
    return no("gate-other-type", "What the receipt names as its policy object is not one of our package.", types);
  if (object.owner !== "shared")
    return no("gate-not-shared", "The policy object is not shared. The one of our package is.");
  const gate = readGate(object.content);
  if (gate === undefined || !isSameAddress(gate.id, chain.gate))
    return no(
      "gate-malformed",
      "The object has the right type, but cannot be read as a policy object that the ledger’s rules allow.",
    );
  const { bcs, digest } = object;
  const difference = bcs && envelopeDifference(object, bcs);
  if (difference !== undefined || (bcs !== undefined && digest !== undefined && objectDigest(bcs) !== digest))
    return no(
      "gate-bytes-differ",
      "The policy object’s bytes and what the ledger says about it differ.",
      difference?.compared,
    );
  if (bcs === undefined || digest === undefined) {
    const sentence = "The ledger did not return the bytes of the whole policy object, or not their digest.";
    return { check: unknown("gate", "gate-bytes-absent", sentence) };
  }
  // Versions only grow. A node may lag behind another one.
  const least = BigInt(chain.policyVersion) + (chain.supersededAtMs === undefined ? 0n : 1n);
  if (gate.version < least) {
    const compared = { expected: `at least ${least}`, actual: String(gate.version) };
    const sentence =
      "The policy object has not closed a version that the receipt tells of. The node may lag: check again.";
    return { check: unknown("gate", "gate-behind", sentence, compared) };
  }
  const sentence =
    "The policy object is the one of our package, which judged the claims and names the keys that sign receipts.";
  return { check: pass("gate", sentence, types), gate };
}

function no(code: FailCode<"gate">, sentence: string, compared?: Compared): ReadGate {
  return { check: fail("gate", code, sentence, compared) };
}

// The gate's own entry of the version that the claims were judged by. The receipt on the ledger repeats its times.

export function checkClosing(
  { packageId, closing: object }: Pick<Observation, "packageId" | "closing">,
  chain: ChainReceipt | undefined,
  gate: ChainGate | undefined,
): Check {
  if (chain === undefined || gate === undefined)
    return unknown(
      "closing",
      "needs-gate",
      "Not checked: only a policy object of our package says when it closed a version.",
    );
  if (object === "unreachable")
    return unknown("closing", "closing-unreachable", "The ledger did not answer when asked for the version’s entry.");
  if (object === "missing") {
    const sentence = "The policy object has no entry of the version. The node may lag: check again.";
    return unknown("closing", "closing-missing", sentence);
  }
  const { bcs, digest } = object;
  if (bcs === undefined || digest === undefined) {
    const sentence = "The ledger did not return the bytes of the version’s entry, or not their digest.";
    return unknown("closing", "closing-bytes-absent", sentence);
  }
  const version = BigInt(chain.policyVersion);
  const closing = readClosing(bcs, { packageId, tableId: gate.closedId, version });
  if (closing === undefined || objectDigest(bcs) !== digest) {
    const sentence = "What the ledger returned is not the policy object’s entry of the version.";
    return fail("closing", "closing-malformed", sentence);
  }
  const compared = { expected: times(closing), actual: times(chain) };
  // A version may have been superseded since the anchor.
  const { supersededAtMs = closing.supersededAtMs } = chain;
  const isLater = chain.supersededAtMs !== undefined || (supersededAtMs ?? chain.anchoredAtMs) >= chain.anchoredAtMs;
  if (closing.closedAtMs === chain.closedAtMs && closing.supersededAtMs === supersededAtMs && isLater) {
    const sentence = "The policy object’s own entry of the version has the times that the receipt on the ledger has.";
    if (chain.supersededAtMs === supersededAtMs) return pass("closing", sentence, compared);
    return pass("closing", `${sentence} The version ended after the anchor, ${isoTime(supersededAtMs ?? 0)}.`);
  }
  if (closing.closedAtMs === chain.closedAtMs && closing.supersededAtMs === undefined) {
    const sentence =
      "The policy object’s entry does not have the end of the version yet. The node may lag: check again.";
    return unknown("closing", "closing-behind", sentence, compared);
  }
  const sentence = "The receipt on the ledger has other times of the version than the policy object’s own entry.";
  return fail("closing", "closing-differs", sentence, compared);
}

const times = ({ closedAtMs, supersededAtMs }: Pick<ChainReceipt, "closedAtMs" | "supersededAtMs">): string =>
  `closed ${isoTime(closedAtMs ?? 0)}, superseded ${supersededAtMs === undefined ? "never" : isoTime(supersededAtMs)}`;
