// The gate that judged the claims: it is the one of our package, and has the keys that sign receipts.
import { isSameAddress } from "#core/encoding/address.ts";
import { type ChainGate, readClosing, readGate } from "#core/ledger/gate-object.ts";
import { objectDigest } from "#core/ledger/move-object.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type Check, checkOf } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import { isoTime } from "./chain-receipt.ts";
import { envelopeDifference, isOfType } from "./object.ts";

const [ofGate, ofClosing] = [checkOf("gate"), checkOf("closing")];

interface ReadGate {
  readonly check: Check;
  readonly gate?: ChainGate;
}

export function checkGate({ packageId, gate: object }: Observation, chain: ChainReceipt | undefined): ReadGate {
  if (chain === undefined) return { check: ofGate.unknown("needs-object") };
  if (object === "unreachable") return { check: ofGate.unknown("gate-unreachable") };
  // Shared objects are never deleted.
  if (object === "missing") return { check: ofGate.fail("gate-missing") };
  if (!isSameAddress(object.objectId, chain.gate))
    return { check: ofGate.fail("gate-other-id", { compared: { expected: chain.gate, actual: object.objectId } }) };
  const compared = { expected: `${packageId}::gate::Gate`, actual: object.type };
  if (!isOfType(object.type, packageId, "Gate")) return { check: ofGate.fail("gate-other-type", { compared }) };
  if (object.owner !== "shared") return { check: ofGate.fail("gate-not-shared") };
  const gate = readGate(object.content);
  if (gate === undefined || !isSameAddress(gate.id, chain.gate)) return { check: ofGate.fail("gate-malformed") };
  const { bcs, digest } = object;
  const difference = bcs && envelopeDifference(object, bcs);
  if (difference !== undefined || (bcs !== undefined && digest !== undefined && objectDigest(bcs) !== digest))
    return { check: ofGate.fail("gate-bytes-differ", { compared: difference?.compared }) };
  if (bcs === undefined || digest === undefined) return { check: ofGate.unknown("gate-bytes-absent") };
  // Versions only grow. A node may lag behind another one.
  const least = BigInt(chain.policyVersion) + (chain.supersededAtMs === undefined ? 0n : 1n);
  if (gate.version >= least) return { check: ofGate.pass("ours", { compared }), gate };
  const versions = { expected: `at least ${least}`, actual: String(gate.version) };
  return { check: ofGate.unknown("gate-behind", { compared: versions }) };
}

// The gate's own entry of the version that the claims were judged by. The receipt on the ledger repeats its times.

export function checkClosing(
  { packageId, closing: object }: Pick<Observation, "packageId" | "closing">,
  chain: ChainReceipt | undefined,
  gate: ChainGate | undefined,
): Check {
  if (chain === undefined || gate === undefined) return ofClosing.unknown("needs-gate");
  if (object === "unreachable") return ofClosing.unknown("closing-unreachable");
  if (object === "missing") return ofClosing.unknown("closing-missing");
  const { bcs, digest } = object;
  if (bcs === undefined || digest === undefined) return ofClosing.unknown("closing-bytes-absent");
  const version = BigInt(chain.policyVersion);
  const closing = readClosing(bcs, { packageId, tableId: gate.closedId, version });
  if (closing === undefined || objectDigest(bcs) !== digest) return ofClosing.fail("closing-malformed");
  const compared = { expected: times(closing), actual: times(chain) };
  // A version may have been superseded since the anchor.
  const { supersededAtMs = closing.supersededAtMs } = chain;
  const isLater = chain.supersededAtMs !== undefined || (supersededAtMs ?? chain.anchoredAtMs) >= chain.anchoredAtMs;
  if (closing.closedAtMs === chain.closedAtMs && closing.supersededAtMs === supersededAtMs && isLater)
    return chain.supersededAtMs === supersededAtMs
      ? ofClosing.pass("same", { compared })
      : ofClosing.pass("ended-later", { when: isoTime(supersededAtMs ?? 0) });
  return closing.closedAtMs === chain.closedAtMs && closing.supersededAtMs === undefined
    ? ofClosing.unknown("closing-behind", { compared })
    : ofClosing.fail("closing-differs", { compared });
}

const times = ({ closedAtMs, supersededAtMs }: Pick<ChainReceipt, "closedAtMs" | "supersededAtMs">): string =>
  `closed ${isoTime(closedAtMs ?? 0)}, superseded ${supersededAtMs === undefined ? "never" : isoTime(supersededAtMs)}`;
