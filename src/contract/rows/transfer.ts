// Taking records away, and bringing them into another service. Types follow core/transfer/export-format.ts. A line is
// signed: what an import does not know would be lost in silence, so that it refuses it.
import { z } from "zod";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { problemSchema } from "#contract/schemas/problem.ts";
import { factFilter, memory, recorded } from "#contract/schemas/resources.ts";
import * as s from "#contract/schemas/scalars.ts";
import { passthrough } from "#contract/schemas/validate.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { BREAK_REASONS, LARGEST_RECEIPT } from "#core/receipt/receipt.ts";
import { decisionDetails, outcome } from "./logs.ts";
import type { Rows } from "./row.ts";

const id = s.matching(/^[\w-]{1,64}$/, "is not an id", 64);
const blobId = z.string().min(1).max(256);
const digest = s.matching(/^[0-9a-f]{64}$/, "is not a digest", 64);
const at = z.iso.datetime().meta({ maxLength: 64 });
const name = z.string().min(1).max(1_000);
const role = z.enum(["operator", "admin", "namespace-admin", "agent", "auditor", "public"]);
const cause = z.enum(["forgotten", "expired", "reset", "encrypted"]);
const counts = z.record(s.name, s.count);

const key = z.strictObject({
  keyId: s.matching(/^[0-9a-f]{32}$/, "is not the id of a key", 32),
  publicKey: digest.describe("Ed25519, hex."),
  createdAt: at,
  endedAt: at.exactOptional(),
});

const { memoryId: _id, storeRef: _ref, ...fields } = memory.shape;

export const exportHeader = z.strictObject({
  portcullis: z.literal("export"),
  v: z.literal(1),
  exportedAt: at,
  by: z.strictObject({ role, name: s.name, agentId: s.name.exactOptional() }),
  filter: z.strictObject({
    namespace: s.name.exactOptional(),
    sourceAgent: s.name.exactOptional(),
    namespacePrefix: s.name.exactOptional(),
    occurredFrom: s.name.exactOptional(),
    occurredTo: s.name.exactOptional(),
    metadata: fields.metadata,
    decrypt: s.whenTrue.describe("Encrypted memories are plain text."),
  }),
  policyVersion: s.count,
  blobs: z.enum(["memory", "walrus"]).describe("The blob store that gave the blob ids."),
  network: s.name.describe("Of the ledger: `local`, or the network's name."),
  keys: z.array(key).max(256).describe("The public halves of the keys that signed receipts."),
});

export const exportTrailer = z.strictObject({
  portcullis: z.literal("end"),
  counts,
  digest: digest.describe("blake2b256 of all bytes before this line, hex."),
  signature: z.strictObject({ ...key.pick({ keyId: true, publicKey: true }).shape, value: z.string().max(128) }),
});

/** An encrypted one is longer than its text. */
const LONGEST_CONTENT = 8 * LIMITS.content;
const encryption = z.strictObject({ keyId: z.string().max(128), wrappedKey: z.string().max(1_000), factHash: digest });
const exportedMemory = z.strictObject({
  ...fields,
  memoryId: id,
  storeRef: blobId,
  namespace: recorded.namespace,
  sourceAgent: recorded.sourceAgent,
  content: z.string().min(1).max(LONGEST_CONTENT),
  contentDigest: digest,
  encryption: encryption.exactOptional(),
});

/** Its bytes are signed, so unknown fields stay. */
const exportedReceipt = passthrough(
  z.looseObject({
    answerId: id,
    agentId: s.name,
    createdAt: at,
    usedMemories: z
      .array(z.looseObject({ memoryId: id, namespace: s.name, storeRef: s.name, snippet: z.undefined().optional() }))
      .max(256),
    blockedNamespaces: z.array(s.name).max(1_000),
    evidence: z.looseObject({ policyVersion: s.version, policyDigest: s.name }),
  }),
);

const names = z.strictObject({ digest: digest.nullable(), count: s.count });

const recordOf = <K extends string, S extends z.ZodRawShape>(kind: K, shape: S) =>
  z.strictObject({ kind: z.literal(kind), ...shape });

export const exportRecord = z.discriminatedUnion("kind", [
  recordOf("namespace", {
    name: recorded.namespace,
    description: z.string().max(1_000).exactOptional(),
    retentionSeconds: z.int().min(1).exactOptional(),
    encrypted: z.boolean(),
  }),
  recordOf("encryption-secret", { keyId: z.string().max(128), wrapped: z.string().max(1_000) }),
  recordOf("rule", { agentId: recorded.agentId, namespace: recorded.namespace, allowed: z.boolean() }),
  recordOf("memory", { memory: exportedMemory, superseded: z.strictObject({ by: s.name, at }).exactOptional() }),
  recordOf("tombstone", {
    tombstone: z.strictObject({
      memoryId: id,
      namespace: recorded.namespace,
      sourceAgent: s.name,
      cause,
      reason: z.string().max(200).exactOptional(),
      forgottenBy: s.name,
      forgottenAt: at,
    }),
  }),
  z.strictObject({ kind: z.literal("names"), digest, names: z.array(s.name).max(1_000), isLast: z.boolean() }),
  recordOf("receipt", {
    receipt: exportedReceipt.describe("Without any text of memories."),
    status: z.enum(["begun", "issued", "broken-off"]),
    reason: z.enum(BREAK_REASONS).exactOptional(),
    seed: z.string().max(1_000).exactOptional().describe("Discloses its private fields."),
    anchor: z.strictObject({ blobId, anchoredAt: at }).exactOptional(),
    chain: z.array(z.strictObject({ receiptId: name, txDigest: name })).max(1_000),
  }),
  recordOf("anchor", {
    blobId,
    digest,
    answerId: name,
    issued: z.boolean(),
    anchoredAt: at,
    body: z.string().max(LARGEST_RECEIPT).describe("The public blob's text."),
  }),
  recordOf("chain-anchor", {
    receiptId: name,
    txDigest: name,
    agentId: s.name,
    blobId,
    digest,
    claimed: z.array(s.name).max(1_000),
    allAuthorized: z.boolean(),
    ledgerVersion: s.name,
    anchoredAt: at,
  }),
  recordOf("decision", {
    at,
    principalId: s.name,
    principalName: s.name,
    role: z.enum([...role.options, "service"]),
    agentId: s.name.exactOptional(),
    route: s.name,
    policyVersion: s.version,
    outcome,
    answerId: s.name.exactOptional(),
    memoryId: s.name.exactOptional(),
    namespace: s.name.exactOptional(),
    details: decisionDetails.extend({ cause: cause.exactOptional() }).strict().exactOptional(),
    allowed: names.exactOptional(),
    blocked: names.exactOptional(),
  }),
]);

const exportLine = z
  .union([exportHeader, exportRecord, exportTrailer])
  .meta({ id: "ExportLine", description: "The first line is the header, and the last one the trailer." });

const importOutcome = z.object({
  added: counts.describe("How many records of each kind are on record now that were not."),
  policy: z
    .enum(["set", "same", "kept"])
    .describe("kept: the policy here differs from the exported one, and stays as it is."),
  leftOut: counts.describe(
    "Records that were not imported, by kind: anchors on another ledger, of a blob that is not on record, or of one that has twenty.",
  ),
});

const importPlan = z.object({
  records: counts.describe("How many records of each kind the export holds."),
  newMemories: s.count.describe("How many of its memories are not on record."),
});

const importProgress = z
  .object({
    done: s.count.exactOptional(),
    of: s.count.exactOptional(),
    outcome: importOutcome.exactOptional(),
    plan: importPlan.exactOptional().describe("In a dry run: the export is in order. Nothing was recorded."),
    problem: problemSchema.exactOptional(),
  })
  .meta({
    id: "ImportProgress",
    description: "How far it is, repeatedly, and at last `outcome`, `plan` or `problem`.",
  });

export const transferRows = {
  exportRecords: {
    summary:
      "Everything that the caller may read, signed: a header, one record a line, and a trailer. An agent's export is what the gate gives it. With a filter of namespaces, times or metadata it holds memories alone.",
    query: z.object({
      namespace: recorded.namespace.optional().describe("Only what is in this namespace. Then there are no decisions."),
      ...factFilter,
      sourceAgent: recorded.sourceAgent
        .optional()
        .describe("Only what this agent captured, was allowed and was answered."),
      decrypt: z
        .enum(["true"])
        .optional()
        .describe("Encrypted memories as plain text, for an admin to read. Such an export cannot be imported."),
    }),
    response: exportLine,
    mediaType: NDJSON_TYPE,
    streams: "pieces",
    problems: ["policy-changed"],
  },
  importRecords: {
    summary: "Record an export, once its signature was checked. Ids stay, and nothing is added twice.",
    query: z.object({
      key: s
        .matching(/^[0-9a-f]{32}$/, "is not the id of a key", 32)
        .optional()
        .describe("The id of the key that must have signed it. Without it, the key must be one of this service."),
      policy: z
        .enum(["replace"])
        .optional()
        .describe("Replace the policy with the exported one. Without it, only a policy that never changed is set."),
      dryRun: s.yesOrNo.describe("true: check the export and say what it holds, and record nothing."),
    }),
    rawBody: { mediaType: NDJSON_TYPE, line: exportLine },
    response: importProgress,
    mediaType: NDJSON_TYPE,
    streams: "pieces",
    problems: ["export-incomplete", "export-damaged", "export-key-unknown", "export-not-importable"],
  },
} as const satisfies Rows;
