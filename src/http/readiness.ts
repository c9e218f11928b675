import { orAfter } from "#async/with-deadline.ts";
import { storedUntilOfAll } from "#service/anchoring/stored-until.ts";
import type { Deps } from "#service/deps.ts";
import { type HttpReply, jsonReply } from "./answer/reply.ts";

/** How long a reply of the ledger is shown before the ledger is asked again. */
const DRIFT_FRESH_MS = 5_000;
const LEDGER_DEADLINE_MS = 1_000;

/**
 * Ready when the database answers. The ledger is shown and does not decide: anchors wait for it on record, and all else
 * works without it. `drift` is the number of leaves in which its policy differs from ours, or null when the ledger does
 * not answer. The local ledger is not asked: every anchor brings its policy up to date. `blobs.storedUntil` is the time
 * until which every proof of ours can be fetched, at least.
 */
export function readiness({ records, ledger, blobs }: Deps, now: () => number = Date.now) {
  const driftOrNull = () => ledger.drift().catch(() => null);
  let last: { at: number; drift: ReturnType<typeof driftOrNull> } | undefined;

  return async (isAccepting: boolean): Promise<HttpReply> => {
    if (!isAccepting) return jsonReply({ status: "stopping" }, 503);
    await records.ping();
    const { network } = ledger;
    const kept = { blobs: await storedUntilOfAll({ records, blobs }) };
    if (network === "local") return jsonReply({ status: "ready", ledger: { network }, ...kept });
    if (last === undefined || now() - last.at > DRIFT_FRESH_MS) {
      last = { at: now(), drift: orAfter(LEDGER_DEADLINE_MS, driftOrNull(), null) };
    }
    const drift = await last.drift;
    return jsonReply({ status: "ready", ledger: { network, drift }, ...kept });
  };
}
