import type { Ledger } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { type HttpReply, jsonReply } from "./answer/reply.ts";

/** How long what was seen of the ledger is shown before it is asked again. */
const FRESH_MS = 5_000;
const PATIENCE_MS = 1_000;

/**
 * Ready when the records answer. The ledger is shown and does not decide: anchors wait for it on record, and all else
 * works without it. `drift` is how many leaves of its policy differ from ours, null when it did not say. The local
 * ledger is not asked: its policy is ours, brought up to date with every anchor.
 */
export function readiness({ records, ledger }: Deps, now: () => number = Date.now) {
  let seen: { at: number; drift: Promise<Drift | null> } | undefined;

  return async (isAccepting: boolean): Promise<HttpReply> => {
    if (!isAccepting) return jsonReply({ status: "stopping" }, 503);
    await records.ping();
    const { network } = ledger;
    if (network === "local") return jsonReply({ status: "ready", ledger: { network } });
    if (seen === undefined || now() - seen.at > FRESH_MS) seen = { at: now(), drift: driftOf(ledger) };
    const drift = await seen.drift;
    return jsonReply({ status: "ready", ledger: { network, drift } });
  };
}

type Drift = Awaited<ReturnType<Ledger["drift"]>>;

async function driftOf(ledger: Ledger): Promise<Drift | null> {
  const late = new Promise<null>((resolve) => setTimeout(resolve, PATIENCE_MS, null).unref());
  return Promise.race([ledger.drift().catch(() => null), late]);
}
