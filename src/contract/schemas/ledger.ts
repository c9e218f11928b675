// Objects and transactions of the ledger, and the result of a verification.
import { z } from "zod";
import { CHECK_CODES, type CheckCode, type CheckName } from "#core/verify/check.ts";
import { component } from "./component.ts";
import {
  base64 as anyBase64,
  count,
  decimal,
  digest,
  id,
  label,
  listed,
  milliseconds,
  name,
  sentence,
  signatureValue,
  url,
} from "./scalars.ts";

export const objectId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "must be 0x and 1 to 64 hexadecimal digits")
  .meta({ maxLength: 66, description: "0x and hexadecimal digits." });
export const txDigest = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "is not a transaction digest")
  .meta({ maxLength: 44, description: "A digest in base58." });

const base64 = anyBase64.describe("BCS, base64.");
const fields = z.unknown().describe("Decoded: bytes in hex, numbers of 64 bits as strings.");

export const ledgerObject = component("LedgerObject", {
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

export const ledgerEntry = entry.meta({ id: "LedgerEntry" });

export const ledgerTransaction = entry
  .extend({
    calls: z
      .array(z.object({ function: label, arguments: z.record(label, z.unknown()) }))
      .meta({ maxItems: MOST_COMMANDS }),
    events: z.array(z.object({ name: label, fields, bcs: base64 })).meta({ maxItems: MOST_COMMANDS }),
    changedObjects: z
      .array(
        z.object({
          objectId: id,
          type: label,
          change: z.enum(["created", "changed", "deleted"]),
          version: decimal,
        }),
      )
      .meta({ maxItems: MOST_OBJECTS }),
    signatures: z.array(signatureValue).meta({ maxItems: 2 }),
    bcs: base64,
    effects: anyBase64.describe("Its effects: BCS, base64."),
  })
  .meta({ id: "LedgerTransaction" });

const CHECK_NAMES = Object.keys(CHECK_CODES) as [CheckName, ...CheckName[]];
const ALL_CODES = [...new Set(Object.values(CHECK_CODES).flat())] as [CheckCode, ...CheckCode[]];

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
      opened: z.record(label, z.unknown()).describe("Always empty here: no opening reaches the service."),
    })
    .optional()
    .describe("Present when the receipt was anchored sealed."),
  hasPseudonyms: z.boolean().optional().describe("Whether agents and namespaces stand on the gate under pseudonyms."),
  chain: z
    .object({
      gate: id,
      agent: name,
      blobId: id,
      digest,
      claimed: listed(name),
      allAuthorized: z.boolean(),
      policyVersion: decimal.describe("The version of the policy that the claims were judged by."),
      closedAtMs: milliseconds.optional().describe("When that version was closed. Absent for releases up to 0.1."),
      supersededAtMs: milliseconds
        .optional()
        .describe("When the next version was closed. Absent when there was none at the time of the anchor."),
      issued: z.boolean().optional().describe("Only for releases up to 0.1: the service said that it had issued it."),
      anchoredAtMs: milliseconds,
    })
    .nullable()
    .describe("What the ledger says; null when there is no receipt of ours."),
  txDigest: id.optional(),
  explorerUrl: url.optional(),
});
