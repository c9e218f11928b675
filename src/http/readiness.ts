import { orAfter } from "#async/with-deadline.ts";
import { hasLocked } from "#service/memories/encryption.ts";
import { storedUntilOfAll } from "#service/memories/memory-blobs.ts";
import type { Tenant } from "#service/tenant.ts";
import { type HttpReply, jsonReply } from "./answer/reply.ts";

/** How long a reply of the ledger is shown before the ledger is asked again. */
const DRIFT_FRESH_MS = 5_000;
const BALANCE_FRESH_MS = 30_000;
const LEDGER_DEADLINE_MS = 1_000;
const LOCKED_FRESH_MS = 60_000;

// Ready when the database answers. The ledger is shown and does not decide: anchors wait for it on record. `drift` is the
// number of rules in which its policy differs from ours; with `balance`, it is null when the ledger does not answer. The
// local ledger is not asked: every anchor brings its policy up to date, and costs nothing.
export function readiness(
  { records, ledger, blobs, cipher }: Pick<Tenant, "records" | "blobs" | "ledger" | "cipher">,
  now: () => number = Date.now,
) {
  const drift = cached(() => ledger.drift(), DRIFT_FRESH_MS, now);
  const balance = cached(() => ledger.balance(), BALANCE_FRESH_MS, now);
  const locked = cached(() => hasLocked({ records, cipher }), LOCKED_FRESH_MS, now);

  return async (isAccepting: boolean): Promise<HttpReply> => {
    if (!isAccepting) return jsonReply({ status: "stopping" }, 503);
    await records.ping();
    const { network } = ledger;
    const leases = { blobs: await storedUntilOfAll({ records, blobs }) };
    const encrypted = (await locked()) ? [LOCKED_MEMORIES] : [];
    if (network === "local")
      return jsonReply({ status: "ready", ledger: { network }, ...leases, ...warningsOf(encrypted) });
    const [rules, purse] = await Promise.all([drift(), balance()]);
    const warnings = warningsOf(purse?.isLow ? [LOW_BALANCE, ...encrypted] : encrypted);
    return jsonReply({ status: "ready", ledger: { network, drift: rules, balance: purse }, ...leases, ...warnings });
  };
}

const warningsOf = (warnings: readonly string[]) => (warnings.length > 0 ? { warnings } : {});

const LOCKED_MEMORIES =
  "Some memories are encrypted with a key that is not set, so nobody can use them. Set ENCRYPTION_KEY or ENCRYPTION_KEY_FORMER; portcullis encryption status shows the ids of the keys.";
const LOW_BALANCE = "The balance of the ledger's signer is low. Send SUI to its address, or anchors will wait.";

/** Asks again when the last reply is too old. Null when there is none in time. */
function cached<T>(ask: () => Promise<T>, freshMs: number, now: () => number): () => Promise<T | null> {
  let last: { readonly at: number; readonly reply: Promise<T | null> } | undefined;
  return () => {
    if (last === undefined || now() - last.at > freshMs) {
      const reply = ask().catch(() => null);
      last = { at: now(), reply: orAfter(LEDGER_DEADLINE_MS, reply, null) };
    }
    return last.reply;
  };
}
