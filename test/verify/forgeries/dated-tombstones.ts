// Tombstones that the transparency log dates: each is a bundle with a proof of the log. One that is older than the end of its
// key holds, and one that is younger does not.
import type { CheckCode } from "#core/verify/check.ts";
import { gateObject, goodReceipt } from "#test/support/anchored-receipt.ts";
import { forgottenBody, keyBody, logProofOf, resetBody } from "#test/support/log-proof.ts";
import { SERVICE_KEY, signingPair } from "#test/support/signed-receipt.ts";
import { altered, without } from "./forgery.ts";
import { forgotten, SAID, tombstone } from "./tombstones.ts";

const AT = SAID.forgottenAt;
const [BEFORE, AFTER] = ["2026-05-01T11:54:59.000Z", "2026-05-01T13:00:00.000Z"] as const;
const second = signingPair(9);

const gateWith = (endedAt: string) =>
  gateObject({ keys: [{ publicKey: SERVICE_KEY.publicKey, addedAtMs: 1, endedAtMs: Date.parse(endedAt) }] });
const logOf = (...dated: readonly ReturnType<typeof keyBody>[]) => logProofOf(goodReceipt(), { dated });
const entered = forgottenBody(SAID, AT);
const ended = (at: string, pair = SERVICE_KEY) => keyBody(pair, "ended", at);

const RESET = { cause: "reset", forgottenAt: AT, forgottenBy: SAID.forgottenBy };
const ofReset = (fields: object = {}) => tombstone(fields, SERVICE_KEY, { ...without(SAID, "reason"), ...RESET });

export interface DatedTombstone {
  readonly name: string;
  readonly seen: ReturnType<typeof forgotten>;
  readonly log: unknown;
  readonly code: CheckCode;
  readonly status: "fail" | "unknown";
}

const dated = (
  name: string,
  code: CheckCode,
  { log, gate, given = tombstone(), status = "unknown" }: Partial<DatedTombstone> & { gate?: object; given?: unknown },
): DatedTombstone => ({ name, code, status, log, seen: forgotten(given, gate && { gate }) });

export const datedTombstones: readonly DatedTombstone[] = [
  dated("by a key that ended later, by the ledger", "memory-forgotten", { log: logOf(entered), gate: gateWith(AFTER) }),
  dated("by a key that ended later, by the log", "memory-forgotten", { log: logOf(entered, ended(AFTER)) }),
  dated("by a key that ended later, of a memory that expired", "memory-forgotten", {
    given: tombstone({ cause: "expired" }),
    log: logOf(forgottenBody({ ...SAID, cause: "expired" }, AT, "expired"), ended(AFTER)),
  }),
  dated("by a key that only the log has", "memory-forgotten", {
    given: tombstone({}, second),
    log: logOf(keyBody(second, "begun", AT), entered),
  }),
  dated("by a key that ended later, of a memory that a reset forgot", "memory-forgotten", {
    given: ofReset(),
    log: logOf(resetBody(RESET, AT), ended(AFTER)),
  }),
  dated("by a key that had ended before the reset", "tombstone-after-key", {
    given: ofReset(),
    log: logOf(resetBody(RESET, AT), ended(BEFORE)),
    status: "fail",
  }),
  ...[{ forgottenAt: AFTER }, { forgottenBy: "eve" }, { reason: "asked for" }, { cause: "forgotten" }].map((fields) =>
    dated(
      `by an ended key, with the entry of a reset that is not its own: ${Object.keys(fields)}`,
      "tombstone-key-ended",
      {
        given: ofReset(fields),
        log: logOf(resetBody(RESET, AT), ended(AFTER)),
      },
    ),
  ),
  dated("by an ended key, of a reset before the answer that used the memory", "memory-forgotten-before", {
    given: ofReset({ forgottenAt: "2026-05-01T09:00:00.000Z" }),
    log: logOf(resetBody({ ...RESET, forgottenAt: "2026-05-01T09:00:00.000Z" }, AT), ended(AFTER)),
    status: "fail",
  }),
  dated("by an ended key, with the entry of a reset that has a memory", "tombstone-key-ended", {
    given: ofReset(),
    log: logOf(forgottenBody(RESET, AT, "reset"), ended(AFTER)),
    gate: gateWith(AFTER),
  }),
  dated("by a key that had ended, by the ledger", "tombstone-after-key", {
    log: logOf(entered),
    gate: gateWith(BEFORE),
    status: "fail",
  }),
  dated("by a key that had ended, by the log", "tombstone-after-key", {
    log: logOf(ended(BEFORE), entered),
    status: "fail",
  }),
  dated("by a key that had ended by the log, and later by the ledger", "tombstone-after-key", {
    log: logOf(ended(BEFORE), entered),
    gate: gateWith(AFTER),
    status: "fail",
  }),
  dated("by a key that had ended and only the log has", "tombstone-after-key", {
    given: tombstone({}, second),
    log: logOf(keyBody(second, "begun", BEFORE), ended(BEFORE, second), entered),
    status: "fail",
  }),
  dated("by an ended key, with the entry of another tombstone", "tombstone-key-ended", {
    log: logOf(forgottenBody({ ...SAID, reason: "another" }, AT), ended(AFTER)),
  }),
  dated("by an ended key, without an entry", "tombstone-key-ended", { log: logOf(ended(AFTER)) }),
  dated("by an ended key, with the end of another", "memory-forgotten", { log: logOf(entered, ended(BEFORE, second)) }),
  dated("by a key that the log lacks", "tombstone-not-signed", {
    given: tombstone({}, second),
    log: logOf(entered, ended(AFTER, second)),
  }),
  dated("by an ended key, with an entry that is in no tree", "tombstone-key-ended", {
    log: altered(logOf(entered), ["dated", 0, "salt"], () => "00".repeat(32)),
    gate: gateWith(AFTER),
  }),
];
