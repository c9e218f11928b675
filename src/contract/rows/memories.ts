// Memories, what stays when they are forgotten, and their namespaces.
import { z } from "zod";
import * as r from "#contract/schemas/resources.ts";
import * as s from "#contract/schemas/scalars.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { FORGET_CAUSES } from "#core/tombstone.ts";
import type { Rows } from "./row.ts";

const signature = z.object({ keyId: s.id, value: s.signatureValue.describe("Ed25519, base64url.") });

const tombstone = s.component("Tombstone", {
  memoryId: s.id,
  namespace: s.name,
  cause: z.enum(FORGET_CAUSES).describe("encrypted: the unencrypted memory was captured again as an encrypted one."),
  reason: r.reason.exactOptional(),
  forgottenBy: s.name,
  forgottenAt: s.instant,
  signature: signature.describe("By the service. It holds no digest of the text: that would confirm guesses."),
});

const forgotten = z.object({
  tombstone,
  anchoredReceipts: s.count.describe(
    "How many receipts that quote it were anchored in the open form. These are public, and stay.",
  ),
  publicUntil: s.instant
    .exactOptional()
    .describe("The blob store keeps its public blob until then at the earliest. It is not renewed any more."),
});

const memoryUse = s.component("MemoryUse", {
  answerId: s.id,
  agentId: s.name,
  createdAt: s.instant,
  status: z.enum(["begun", "issued", "broken-off"]),
});

export const settings = {
  description: r.text(LIMITS.description, "What it is for, for people.").exactOptional(),
  retentionSeconds: r.seconds
    .exactOptional()
    .describe("How long memories are kept that do not say it themselves; for those captured from then on."),
};

const namespaceSettings = z.strictObject({
  ...settings,
  encrypted: z.boolean().exactOptional().describe("Whether its memories are encrypted. Left out: as it is."),
});

const namespaceEntry = s.component("Namespace", {
  name: s.name,
  memories: s.count.describe("How many current memories it has."),
  ...settings,
  encrypted: z.boolean(),
});

const encryption = s.component("Encryption", {
  done: z.boolean().describe("False: it goes on in the background."),
  encrypted: s.count.describe("How many unencrypted memories were captured again encrypted, and forgotten."),
  forgottenHistory: s.count.describe("How many superseded memories were forgotten. They are not captured again."),
  anchoredReceipts: s.count.describe(
    "How often receipts that were anchored in the open form quote them. These stay public.",
  ),
  publicUntil: s.instant
    .exactOptional()
    .describe("The blob store keeps the last of the unencrypted blobs until then at the earliest."),
});

const ofMemory = z.object({ memoryId: r.givenMemoryId });

const forgetting = z.object({ reason: r.reason.optional() });

/** Problems of whatever becomes a memory. */
export const CAPTURING = ["confusable-name", "limit-reached", "encryption-key-missing", "blob-store-failed"] as const;
/** Of one thing, which an agent reads behind the fence. */
const READING = { streams: "reply", problems: ["not-found", "policy-changed"] } as const;

export const memoryRows = {
  capture: {
    summary: "Store a fact as a public blob and remember it.",
    body: r.fact,
    response: z.object({
      memory: r.memory,
      similar: s
        .listed(z.object({ memoryId: s.id, score: s.score }))
        .exactOptional()
        .describe("Memories that say nearly the same, of the namespaces that the caller may use, closest first."),
    }),
    streams: "reply",
    problems: CAPTURING,
  },
  listMemories: {
    summary: "All memories, newest first; a page of them with any parameter. One request looks at 20,000 at most.",
    query: s.page.extend({
      q: r.searched.optional(),
      namespace: r.recorded.namespace.optional(),
      ...r.factFilter,
      superseded: s.yesOrNo.describe("Superseded memories instead."),
      createdBefore: r.time.optional(),
      viewAs: r.recorded.agentId.optional().describe("Only what this agent may use under the current policy."),
    }),
    response: z.object({ memories: s.streamed(r.memory), nextCursor: s.nextCursorOfSearch }),
    streams: "pieces",
    problems: ["policy-changed"],
  },
  importMemories: {
    summary: `Store up to ${r.IMPORT_LINES} facts, one a line, and stream a result line for each. Read while you write.`,
    query: z.object({
      dryRun: s.yesOrNo.describe("true: check each line against what is on record, and store nothing."),
    }),
    body: r.fact,
    response: r.importResult,
    ndjson: { maxLines: r.IMPORT_LINES },
    streams: "pieces",
  },
  forgetMemory: {
    summary: "Forget a memory. Final when it is answered. An agent forgets what it captured.",
    forgets: true,
    params: ofMemory,
    query: forgetting,
    response: forgotten,
    problems: ["not-found"],
  },
  forgetMemories: {
    summary: "Forget many memories, up to 2,000 a call. Call again with `nextCursor` while there is one.",
    forgets: true,
    body: z.strictObject({
      namespace: r.recorded.namespace.optional(),
      ...r.factFilter,
      before: r.time.optional().describe("Only those captured before this time."),
      reason: r.reason.optional(),
      dryRun: z.boolean().optional().describe("true: count what would be forgotten, and forget nothing."),
      cursor: s
        .matching(/^(current|superseded)(\.[1-9]\d{0,15})?$/, "is not a cursor that this service gave", 64)
        .optional()
        .describe("`nextCursor` of the call before."),
    }),
    response: z.object({
      dryRun: s.whenTrue.describe("Nothing was forgotten: these are the counts of what would be."),
      forgotten: s.count,
      anchoredReceipts: s.count,
      nextCursor: s.nextCursor.describe("Where the next call goes on. Absent when all memories were looked at."),
    }),
  },
  listUses: {
    summary: "The answers that were given this memory, newest first. Also of a forgotten one.",
    params: ofMemory,
    query: s.pageBy(/^ans_\w{1,60}$/),
    response: z.object({ uses: s.listed(memoryUse), nextCursor: s.nextCursor }),
    problems: ["not-found"],
  },
  getTombstone: {
    summary: "The signed tombstone of a forgotten memory. Public when an anchored receipt names the memory.",
    params: ofMemory,
    response: z.object({ tombstone }),
    ...READING,
  },
  getMemory: { summary: "One memory.", params: ofMemory, response: z.object({ memory: r.memory }), ...READING },
  updateMemory: {
    summary: "Pin or unpin a memory. Half of RECALL_LIMIT memories of a namespace can be pinned.",
    params: ofMemory,
    body: z.strictObject({ pinned: z.boolean() }),
    response: z.object({ memory: r.memory }),
    streams: "reply",
    problems: ["not-found", "too-many-pinned", "policy-changed"],
  },
} as const satisfies Rows;

const named = z.object({ name: r.recorded.namespace });
const keyed = z.object({ name: r.recorded.namespace, key: r.factKey });
const sourceAgent = r.recorded.sourceAgent.optional().describe("Whose key it is. An agent's own key may leave it out.");

export const namespaceRows = {
  listNamespaces: {
    summary: "Namespaces that have memories or settings, by name.",
    query: s.pageBy(/^\P{Cc}{1,64}$/u),
    response: z.object({ namespaces: s.listed(namespaceEntry), nextCursor: s.nextCursor }),
    streams: "reply",
    problems: ["policy-changed"],
  },
  getNamespace: {
    summary: "One namespace.",
    params: named,
    response: z.object({ namespace: namespaceEntry }),
    ...READING,
  },
  putNamespace: {
    summary: "Say what a namespace is for, how long its memories are kept, and whether they are encrypted.",
    params: z.object({ name: r.namespace }),
    body: namespaceSettings,
    response: z.object({ namespace: namespaceEntry, encryption: encryption.exactOptional() }),
    problems: ["confusable-name", "limit-reached", "encryption-key-missing"],
  },
  getByKey: {
    summary: "The memory that its source agent captured under this key.",
    params: keyed,
    query: z.object({ sourceAgent }),
    response: z.object({ memory: r.memory }),
    ...READING,
  },
  forgetByKey: {
    summary: "Forget the memory under this key.",
    forgets: true,
    params: keyed,
    query: z.object({ sourceAgent, reason: r.reason.optional() }),
    response: forgotten,
    problems: ["not-found"],
  },
} as const satisfies Rows;
