// The ledger, the explorer of the local one, and the result of a verification.
import { z } from "zod";
import * as s from "#contract/schemas/scalars.ts";
import { passthrough } from "#contract/schemas/validate.ts";
import { LARGEST_OPENING } from "#core/receipt/opening.ts";
import { CHECK_CODES, type CheckCode, type CheckName } from "#core/verify/check.ts";
import { ledger, trustRoot } from "./operations.ts";
import type { Rows } from "./row.ts";

export const objectId = s
  .matching(/^0x[0-9a-fA-F]{1,64}$/, "must be 0x and 1 to 64 hexadecimal digits", 66)
  .describe("0x and hexadecimal digits.");
const txDigest = s
  .matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "is not a transaction digest", 44)
  .describe("A digest in base58.");

const base64 = s.base64.describe("BCS, base64.");
const fields = z.unknown().describe("Decoded: bytes in hex, numbers of 64 bits as strings.");

const ledgerObject = s.component("LedgerObject", {
  objectId: s.id,
  version: s.decimal,
  digest: s.digest,
  owner: z.unknown(),
  type: s.label,
  previousTransaction: s.id,
  fields,
  content: base64,
  bcs: base64,
});

/** Sui takes no more in a transaction. */
const MOST_COMMANDS = 1_024;
const MOST_OBJECTS = 4_096;

const entry = z.object({
  sequence: s.count,
  digest: s.digest,
  sender: s.id,
  timestampMs: s.milliseconds,
  status: z.object({ success: z.boolean(), error: z.unknown() }),
  functions: z.record(s.label, s.count).describe("The functions that it calls, with the number of calls."),
});

const ledgerEntry = entry.meta({ id: "LedgerEntry" });

const ledgerTransaction = entry
  .extend({
    calls: s.listed(z.object({ function: s.label, arguments: z.record(s.label, z.unknown()) }), MOST_COMMANDS),
    events: s.listed(z.object({ name: s.label, fields, bcs: base64 }), MOST_COMMANDS),
    changedObjects: s.listed(
      z.object({
        objectId: s.id,
        type: s.label,
        change: z.enum(["created", "changed", "deleted"]),
        version: s.decimal,
      }),
      MOST_OBJECTS,
    ),
    signatures: s.listed(s.signatureValue, 2),
    bcs: base64,
    effects: s.base64.describe("Its effects: BCS, base64."),
  })
  .meta({ id: "LedgerTransaction" });

const CHECK_NAMES = Object.keys(CHECK_CODES) as [CheckName, ...CheckName[]];
const ALL_CODES = [...new Set(Object.values(CHECK_CODES).flatMap(Object.keys))] as [CheckCode, ...CheckCode[]];

/** Lists of names may be among what is compared. */
const compared = z.string().meta({ maxLength: 1_000_000 });

const check = z.object({
  name: z.enum(CHECK_NAMES),
  index: s.count.optional().describe("For a used memory: its place in the receipt, from 0."),
  status: z.enum(["pass", "fail", "unknown"]),
  code: z.enum(ALL_CODES).optional().describe("Why it did not pass. Absent if it did."),
  sentence: s.sentence,
  compared: z.object({ expected: compared, actual: compared }).optional(),
});

const hex = z.string().max(64);

/** The members alone. Core reads it as a whole: an opening with any fault discloses nothing. */
const openingDocument = z
  .strictObject({
    v: z.literal(2),
    seed: hex.exactOptional(),
    salts: z.record(z.string().max(256), hex).exactOptional(),
    values: z.record(z.string().max(256), z.unknown()).exactOptional(),
    blobs: z.array(z.string().max(LARGEST_OPENING)).max(256).exactOptional(),
    names: z
      .array(z.strictObject({ name: s.name, salt: hex }))
      .max(128)
      .exactOptional(),
  })
  .meta({ id: "OpeningDocument" });

export const toVerify = z.strictObject({
  opening: passthrough(openingDocument).describe("`opening` of an answer, or an opening document. See docs/proof.md."),
});

export const verification = s.component("Verification", {
  receiptId: s.id,
  network: s.label,
  verdict: z.enum(["verified", "failed", "unknown"]).describe("`verified` only when every check passes."),
  checks: s.listed(check),
  receipt: z
    .unknown()
    .describe("The anchored receipt; null when its bytes are not what was anchored, and when it is sealed."),
  sealed: z
    .object({
      receipt: z.unknown().describe("The sealed form with its signature, as it was anchored."),
      fields: s.count.describe("How many private fields it has."),
      disclosed: z.record(s.label, z.unknown()).describe("What the opening of the request disclosed, by path."),
    })
    .optional()
    .describe("Present when the receipt was anchored sealed."),
  hasPseudonyms: z.boolean().optional().describe("Whether agents and namespaces are pseudonyms on the ledger."),
  chain: z
    .object({
      gate: s.id,
      agent: s.name,
      blobId: s.id,
      digest: s.digest,
      claimed: s.listed(s.name),
      allAuthorized: z.boolean(),
      policyVersion: s.decimal.describe("The version of the policy that the claims were judged by."),
      closedAtMs: s.milliseconds.describe("When that version was closed."),
      supersededAtMs: s.milliseconds
        .optional()
        .describe("When the next version was closed. Absent when there was none at the time of the anchor."),
      anchoredAtMs: s.milliseconds,
    })
    .nullable()
    .describe("What the ledger says; null when there is no receipt of ours."),
  txDigest: s.id.optional(),
  explorerUrl: s.url.optional(),
});

export const ledgerRows = {
  getLedger: { summary: "The ledger's network and package, for a verifier.", response: ledger },
  getTrustRoot: {
    summary:
      "The keys that sign receipts, and where anchors are recorded, as the operator says: what a verifier may trust.",
    response: trustRoot,
  },
  ledgerObject: {
    summary: "An object of the local ledger, decoded and as BCS.",
    params: z.object({ objectId }),
    response: ledgerObject,
    problems: ["not-found"],
  },
  ledgerTransaction: {
    summary: "A transaction of the local ledger, decoded and as BCS.",
    params: z.object({ digest: txDigest }),
    response: ledgerTransaction,
    problems: ["not-found"],
  },
  ledgerTransactions: {
    summary: "The local ledger's transactions, newest first.",
    query: s.page,
    response: z.object({ transactions: s.listed(ledgerEntry), nextCursor: s.nextCursor }),
    problems: ["not-found"],
  },
} as const satisfies Rows;
