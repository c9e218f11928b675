// Objects and transactions of the ledger, and the result of a verification.
import { z } from "zod";
import { CHECK_CODES, type CheckCode, type CheckName } from "#core/verify/check.ts";
import { component } from "./component.ts";

export const objectId = z
  .string()
  .regex(/^0x[0-9a-fA-F]{1,64}$/, "must be 0x and 1 to 64 hexadecimal digits")
  .describe("0x and hexadecimal digits.");
export const txDigest = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/, "must be a digest in base58")
  .describe("A digest in base58.");

const base64 = z.string().describe("BCS, base64.");
const fields = z.unknown().describe("Decoded: bytes in hex, numbers of 64 bits as strings.");

export const ledgerObject = component("LedgerObject", {
  objectId: z.string(),
  version: z.string(),
  digest: z.string(),
  owner: z.unknown(),
  type: z.string(),
  previousTransaction: z.string(),
  fields,
  content: base64,
  bcs: base64,
});

const entry = z.object({
  sequence: z.int(),
  digest: z.string(),
  sender: z.string(),
  timestampMs: z.int(),
  status: z.object({ success: z.boolean(), error: z.unknown() }),
  functions: z.record(z.string(), z.int()).describe("The functions that it calls, with the number of calls."),
});

export const ledgerEntry = entry.meta({ id: "LedgerEntry" });

export const ledgerTransaction = entry
  .extend({
    calls: z.array(z.object({ function: z.string(), arguments: z.record(z.string(), z.unknown()) })),
    events: z.array(z.object({ name: z.string(), fields, bcs: base64 })),
    changedObjects: z.array(
      z.object({
        objectId: z.string(),
        type: z.string(),
        change: z.enum(["created", "changed", "deleted"]),
        version: z.string(),
      }),
    ),
    signatures: z.array(z.string()),
    bcs: base64,
    effects: z.string().describe("Its effects: BCS, base64."),
  })
  .meta({ id: "LedgerTransaction" });

const CHECK_NAMES = Object.keys(CHECK_CODES) as [CheckName, ...CheckName[]];
const ALL_CODES = [...new Set(Object.values(CHECK_CODES).flat())] as [CheckCode, ...CheckCode[]];

const check = z.object({
  name: z.enum(CHECK_NAMES),
  index: z.int().optional().describe("For a used memory: its place in the receipt, from 0."),
  status: z.enum(["pass", "fail", "unknown"]),
  code: z.enum(ALL_CODES).optional().describe("Why it did not pass. Absent if it did."),
  sentence: z.string(),
  compared: z.object({ expected: z.string(), actual: z.string() }).optional(),
});

export const verification = component("Verification", {
  receiptId: z.string(),
  network: z.string(),
  verdict: z.enum(["verified", "failed", "unknown"]).describe("`verified` only when every check passes."),
  checks: z.array(check),
  receipt: z
    .unknown()
    .describe("The anchored receipt; null when its bytes are not what was anchored, and when it is sealed."),
  sealed: z
    .object({
      receipt: z.unknown().describe("The sealed form with its signature, as it was anchored."),
      fields: z.int().describe("How many private fields it has."),
      opened: z.record(z.string(), z.unknown()).describe("Always empty here: no opening reaches the service."),
    })
    .optional()
    .describe("Present when the receipt was anchored sealed."),
  hasPseudonyms: z.boolean().optional().describe("Whether agents and namespaces stand on the gate under pseudonyms."),
  chain: z
    .object({
      gate: z.string(),
      agent: z.string(),
      blobId: z.string(),
      digest: z.string(),
      claimed: z.array(z.string()),
      allAuthorized: z.boolean(),
      policyVersion: z.string().describe("The version of the policy that the claims were judged by."),
      closedAtMs: z.int().optional().describe("When that version was closed. Absent for releases up to 0.1."),
      supersededAtMs: z
        .int()
        .optional()
        .describe("When the next version was closed. Absent when there was none at the time of the anchor."),
      issued: z.boolean().optional().describe("Only for releases up to 0.1: the service said that it had issued it."),
      anchoredAtMs: z.int(),
    })
    .nullable()
    .describe("What the ledger says; null when there is no receipt of ours."),
  txDigest: z.string().optional(),
  explorerUrl: z.string().optional(),
});
