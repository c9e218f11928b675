// The lines of an export, and what an import answers. Types follow core/transfer/export-format.ts.
import { z } from "zod";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { BREAK_REASONS } from "#core/receipt/receipt-status.ts";
import { decisionDetails, outcome } from "./logs.ts";
import { problemSchema } from "./problem.ts";
import { memory, recorded } from "./resources.ts";
import { count, name as text, version } from "./scalars.ts";
import { passthrough } from "./validate.ts";

const id = z
  .string()
  .regex(/^[\w-]{1,64}$/, "is not an id")
  .meta({ maxLength: 64 });
const blobId = z.string().min(1).max(256);
const digest = z
  .string()
  .regex(/^[0-9a-f]{64}$/, "is not a digest")
  .meta({ maxLength: 64 });
const at = z.iso.datetime().meta({ maxLength: 64 });
const name = z.string().min(1).max(1_000);
const role = z.enum(["admin", "namespace-admin", "agent", "auditor", "public"]);
const cause = z.enum(["forgotten", "expired", "reset", "sealed"]);
const counts = z.record(text, count);

const key = z.object({
  keyId: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "is not the id of a key")
    .meta({ maxLength: 32 }),
  publicKey: digest.describe("Ed25519, hex."),
  createdAt: at,
  endedAt: at.exactOptional(),
});

export const exportHeader = z.object({
  portcullis: z.literal("export"),
  v: z.literal(1),
  exportedAt: at,
  by: z.object({ role, name: text, agentId: text.exactOptional() }),
  filter: z.object({
    namespace: text.exactOptional(),
    sourceAgent: text.exactOptional(),
    open: z.literal(true).exactOptional().describe("Sealed memories are plain text."),
  }),
  policyVersion: count,
  blobs: z.enum(["memory", "walrus"]).describe("The blob store that gave the blob ids."),
  network: text.describe("Of the ledger: `local`, or the network's name."),
  keys: z.array(key).max(256).describe("The public halves of the keys that signed receipts."),
});

export const exportTrailer = z.object({
  portcullis: z.literal("end"),
  counts,
  digest: digest.describe("blake2b256 of all bytes before this line, hex."),
  signature: z.object({ ...key.pick({ keyId: true, publicKey: true }).shape, value: z.string().max(128) }),
});

/** A sealed one is longer than its text. */
const LONGEST_CONTENT = 8 * LIMITS.content;
const seal = z.object({ keyId: z.string().max(128), wrappedKey: z.string().max(1_000), factHash: digest });
const { memoryId: _id, storeRef: _ref, ...fields } = memory.shape;
const exportedMemory = z.object({
  ...fields,
  memoryId: id,
  storeRef: blobId,
  namespace: recorded.namespace,
  sourceAgent: recorded.sourceAgent,
  content: z.string().min(1).max(LONGEST_CONTENT),
  contentDigest: digest,
  seal: seal.exactOptional(),
});

/** Its bytes are signed, so unknown fields stay. */
const exportedReceipt = passthrough(
  z.looseObject({
    answerId: id,
    agentId: text,
    createdAt: at,
    usedMemories: z
      .array(z.looseObject({ memoryId: id, namespace: text, storeRef: text, snippet: z.undefined().optional() }))
      .max(256),
    blockedNamespaces: z.array(text).max(1_000),
    evidence: z.looseObject({ policyVersion: version, policyDigest: text }),
  }),
);

const names = z.object({ digest: digest.nullable(), count: count });

export const exportRecord = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("namespace"),
    name: recorded.namespace,
    description: z.string().max(1_000).exactOptional(),
    retentionSeconds: z.int().min(1).exactOptional(),
    sealed: z.boolean(),
  }),
  z.object({ kind: z.literal("seal-secret"), keyId: z.string().max(128), wrapped: z.string().max(1_000) }),
  z.object({ kind: z.literal("leaf"), agentId: recorded.agentId, namespace: recorded.namespace, allowed: z.boolean() }),
  z.object({
    kind: z.literal("memory"),
    memory: exportedMemory,
    superseded: z.object({ by: text, at }).exactOptional(),
  }),
  z.object({
    kind: z.literal("tombstone"),
    tombstone: z.object({
      memoryId: id,
      namespace: recorded.namespace,
      sourceAgent: text,
      cause,
      reason: z.string().max(200).exactOptional(),
      forgottenBy: text,
      forgottenAt: at,
    }),
  }),
  z.object({ kind: z.literal("names"), digest, names: z.array(text).max(1_000), isLast: z.boolean() }),
  z.object({
    kind: z.literal("receipt"),
    receipt: exportedReceipt.describe("Without any text of memories."),
    status: z.enum(["opened", "issued", "broken-off"]),
    reason: z.enum(BREAK_REASONS).exactOptional(),
    seed: z.string().max(1_000).exactOptional().describe("Opens its private fields."),
    anchor: z.object({ blobId, anchoredAt: at }).exactOptional(),
    chain: z.array(z.object({ receiptId: name, txDigest: name })).max(1_000),
  }),
  z.object({
    kind: z.literal("anchor"),
    blobId,
    digest,
    answerId: name,
    issued: z.boolean(),
    anchoredAt: at,
    body: z.string().meta({ maxLength: 10_000_000 }).describe("The public blob's text."),
  }),
  z.object({
    kind: z.literal("chain-anchor"),
    receiptId: name,
    txDigest: name,
    agentId: text,
    blobId,
    digest,
    claimed: z.array(text).max(1_000),
    allAuthorized: z.boolean(),
    ledgerVersion: text,
    anchoredAt: at,
  }),
  z.object({
    kind: z.literal("decision"),
    at,
    principalId: text,
    principalName: text,
    role: z.enum([...role.options, "service"]),
    agentId: text.exactOptional(),
    route: text,
    policyVersion: version,
    outcome,
    answerId: text.exactOptional(),
    memoryId: text.exactOptional(),
    namespace: text.exactOptional(),
    details: decisionDetails.extend({ cause: cause.exactOptional() }).exactOptional(),
    allowed: names.exactOptional(),
    blocked: names.exactOptional(),
  }),
]);

export const exportLine = z
  .union([exportHeader, exportRecord, exportTrailer])
  .meta({ id: "ExportLine", description: "The first line is the header, and the last one the trailer." });

const importOutcome = z.object({
  added: counts.describe("How many records of each kind are on record now that were not."),
  policy: z
    .enum(["set", "same", "kept"])
    .describe("kept: the policy here differs from the exported one, and stays as it is."),
  leftOut: counts.describe("Records that cannot be had here, by kind: anchors of another ledger."),
});

export const importProgress = z
  .object({
    done: count.exactOptional(),
    of: count.exactOptional(),
    outcome: importOutcome.exactOptional(),
    problem: problemSchema.exactOptional(),
  })
  .meta({ id: "ImportProgress", description: "How far it is, again and again, and at last `outcome` or `problem`." });
