// The ledger, the explorer of the local one, and the result of a verification.
import { z } from "zod";
import {
  base64 as anyBase64,
  component,
  count,
  decimal,
  digest,
  id,
  label,
  listed,
  matching,
  milliseconds,
  name,
  nextCursor,
  page,
  sentence,
  signatureValue,
  url,
} from "#contract/schemas/scalars.ts";
import { passthrough } from "#contract/schemas/validate.ts";
import { LARGEST_OPENING } from "#core/receipt/opening.ts";
import type { CheckCode, CheckName } from "#core/verify/check.ts";
import { CHECK_CODES } from "#core/verify/check.ts";
import { ledger, trustRoot } from "./operations.ts";
import type { Rows } from "./row.ts";

export const objectId = matching(/^0x[0-9a-fA-F]{1,64}$/, "must be 0x and 1 to 64 hexadecimal digits", 66).describe(
  "0x and hexadecimal digits.",
);
const txDigest = matching(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "is not a transaction digest", 44).describe(
  "A digest in base58.",
);

const base64 = anyBase64.describe("BCS, base64.");
const fields = z.unknown().describe("Decoded: bytes in hex, numbers of 64 bits as strings.");

const ledgerObject = component("LedgerObject", {
  objectId: id,
  version: decimal,
  digest,
  owner: z.unknown(),
  type: label,
  previousTransaction: id,
  fields,
  content: base64,
  bcs: base64,
});

/** Sui takes no more in a transaction. */
const MOST_COMMANDS = 1_024;
const MOST_OBJECTS = 4_096;

const entry = z.object({
  sequence: count,
  digest,
  sender: id,
  timestampMs: milliseconds,
  status: z.object({ success: z.boolean(), error: z.unknown() }),
  functions: z.record(label, count).describe("The functions that it calls, with the number of calls."),
});

const ledgerEntry = entry.meta({ id: "LedgerEntry" });

const ledgerTransaction = entry
  .extend({
    calls: listed(z.object({ function: label, arguments: z.record(label, z.unknown()) }), MOST_COMMANDS),
    events: listed(z.object({ name: label, fields, bcs: base64 }), MOST_COMMANDS),
    changedObjects: listed(
      z.object({
        objectId: id,
        type: label,
        change: z.enum(["created", "changed", "deleted"]),
        version: decimal,
      }),
      MOST_OBJECTS,
    ),
    signatures: listed(signatureValue, 2),
    bcs: base64,
    effects: anyBase64.describe("Its effects: BCS, base64."),
  })
  .meta({ id: "LedgerTransaction" });

const CHECK_NAMES = Object.keys(CHECK_CODES) as [CheckName, ...CheckName[]];
const ALL_CODES = [...new Set(Object.values(CHECK_CODES).flatMap(Object.keys))] as [CheckCode, ...CheckCode[]];

/** Lists of names may be among what is compared. */
const compared = z.string().meta({ maxLength: 1_000_000 });

const check = z.object({
  name: z.enum(CHECK_NAMES),
  index: count.optional().describe("For a used memory: its place in the receipt, from 0."),
  status: z.enum(["pass", "fail", "unknown"]),
  code: z.enum(ALL_CODES).optional().describe("Why it did not pass. Absent if it did."),
  sentence,
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
      .array(z.strictObject({ name, salt: hex }))
      .max(128)
      .exactOptional(),
  })
  .meta({ id: "OpeningDocument" });

export const toVerify = z.strictObject({
  opening: passthrough(openingDocument).describe("`opening` of an answer, or an opening document. See docs/proof.md."),
});

export const verification = component("Verification", {
  receiptId: id,
  network: label,
  verdict: z.enum(["verified", "failed", "unknown"]).describe("`verified` only when every check passes."),
  checks: listed(check),
  receipt: z
    .unknown()
    .describe("The anchored receipt; null when its bytes are not what was anchored, and when it is sealed."),
  sealed: z
    .object({
      receipt: z.unknown().describe("The sealed form with its signature, as it was anchored."),
      fields: count.describe("How many private fields it has."),
      disclosed: z.record(label, z.unknown()).describe("What the opening of the request disclosed, by path."),
    })
    .optional()
    .describe("Present when the receipt was anchored sealed."),
  hasPseudonyms: z.boolean().optional().describe("Whether agents and namespaces are pseudonyms on the ledger."),
  chain: z
    .object({
      gate: id,
      agent: name,
      blobId: id,
      digest,
      claimed: listed(name),
      allAuthorized: z.boolean(),
      policyVersion: decimal.describe("The version of the policy that the claims were judged by."),
      closedAtMs: milliseconds.describe("When that version was closed."),
      supersededAtMs: milliseconds
        .optional()
        .describe("When the next version was closed. Absent when there was none at the time of the anchor."),
      anchoredAtMs: milliseconds,
    })
    .nullable()
    .describe("What the ledger says; null when there is no receipt of ours."),
  txDigest: id.optional(),
  explorerUrl: url.optional(),
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
    query: page,
    response: z.object({ transactions: listed(ledgerEntry), nextCursor }),
    problems: ["not-found"],
  },
} as const satisfies Rows;
