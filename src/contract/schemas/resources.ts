// The resources of the API as zod schemas. Field names follow the specification. Descriptions go into openapi.json.
import { z } from "zod";
import { keyFault, LIMITS, nameFault, recordedNameFault, textFault } from "#core/encoding/text-validation.ts";
import { keyOf } from "#core/gate/policy.ts";
import { TENANT_ID, TENANT_ID_RULE } from "#core/identity/tenant.ts";
import { metadataFault } from "#core/memory.ts";
import { askedText, MOST_TURNS } from "#core/recall/conversation.ts";
import { LONGEST_ID, LONGEST_STORE_REF, MOST_MEMORIES } from "#core/receipt/receipt-rules.ts";
import { LONGEST_REASON } from "#core/tombstone.ts";
import { problemSchema } from "./problem.ts";
import * as s from "./scalars.ts";
import { passthrough } from "./validate.ts";

function checked(fault: (value: string) => string | undefined, maxLength: number, description: string) {
  return z
    .string()
    .superRefine((value, context) => {
      const message = fault(value);
      if (message !== undefined) context.addIssue({ code: "custom", message });
    })
    .meta({ minLength: 1, maxLength, description });
}

const EXACT = "Exact and case-sensitive, NFC, no control characters";
const name = (description: string) => checked(nameFault, LIMITS.name, `${description} ${EXACT} and no invisible ones.`);
/** A name that an earlier version may have taken. */
const recordedName = (description: string) => checked(recordedNameFault, LIMITS.name, `${description} ${EXACT}.`);
export const text = (limit: number, description: string) =>
  checked((value) => textFault(value, limit), limit, description);

export const agentId = name("The agent's id.");
export const tenantId = s.matching(TENANT_ID, TENANT_ID_RULE, 128).describe("The tenant's id.");
export const namespace = name("The memory's category.");
export const query = text(LIMITS.query, "The question.");
/** The turns before a question, oldest first. */
export const messages = z
  .array(z.strictObject({ role: z.enum(["user", "assistant"]), content: text(LIMITS.query, "What was said.") }))
  .max(MOST_TURNS)
  .optional()
  .describe(
    "The last turns of the conversation before `query`, oldest first, so that a question can refer to them. With it they have 4,000 characters at most. They are part of what the receipt commits to as the question.",
  );

type Asked = { readonly query: string; readonly messages?: z.output<typeof messages> };

/** Question and turns together are no longer than a question may be. */
export function checkTurns({ query, messages: turns }: Asked, context: z.RefinementCtx): void {
  const message = turns === undefined ? undefined : textFault(askedText(query, turns), LIMITS.query);
  if (message !== undefined)
    context.addIssue({ code: "custom", path: ["messages"], message: `${message}, with the question` });
}

export const searched = text(200, "Text that the content contains; ASCII letters match in either case.");
const content = text(LIMITS.content, "The fact.");
export const keyName = name("What the key is for, for people.");
const sourceAgent = name("The agent that captured the memory.");

/** On record, perhaps since an earlier version that took more names. */
export const recorded = {
  agentId: recordedName("The agent's id."),
  namespace: recordedName("The memory's category."),
  sourceAgent: recordedName("The agent that captured the memory."),
};

const ruleShape = {
  agentId: recorded.agentId,
  namespace: recorded.namespace,
  allowed: z
    .boolean()
    .nullable()
    .describe("Null removes the rule. Then the namespace is closed, as if nobody had opened it."),
};

type GivenRule = { readonly agentId: string; readonly namespace: string; readonly allowed: boolean | null };

/** A revoke takes every name that may be on record: nothing stands in its way. */
function checkNames({ agentId, namespace, allowed }: GivenRule, context: z.RefinementCtx): void {
  if (!allowed) return;
  for (const [field, value] of Object.entries({ agentId, namespace })) {
    const message = nameFault(value);
    if (message !== undefined) context.addIssue({ code: "custom", path: [field], message });
  }
}

const allowConfusable = z
  .boolean()
  .optional()
  .describe("For admins: a new name may look like another one that exists.");

export const accessRule = z.strictObject({ ...ruleShape, allowConfusable }).superRefine(checkNames);

export const MOST_RULES = 1_000;

/** A body may hold a million elements. One more than may come are looked at. */
const firstOf = (value: unknown): unknown => (Array.isArray(value) ? value.slice(0, MOST_RULES + 1) : value);

export const accessRules = z
  .strictObject({
    rules: z.preprocess(firstOf, z.array(z.strictObject(ruleShape).superRefine(checkNames)).min(1).max(MOST_RULES)),
    allowConfusable,
    ifVersion: s.version
      .optional()
      .describe("The version that the caller has seen. When the policy has another one, nothing changes (409)."),
  })
  .superRefine(({ rules }, context) => {
    const places = new Map<string, number>();
    for (const [place, rule] of rules.entries()) {
      const first = places.get(keyOf(rule)) ?? place;
      places.set(keyOf(rule), first);
      const message = `is about the same agent and namespace as rule ${first}`;
      if (first !== place) context.addIssue({ code: "custom", path: ["rules", place], message });
    }
  });

export const factKey = checked(
  keyFault,
  LIMITS.key,
  "The source agent's own name for a fact, unique in its namespace.",
);
export const reason = text(LONGEST_REASON, "Why it is forgotten. It stays in the tombstone.");
const TTL_MAX = 100 * 365 * 86_400;
export const seconds = z.int().min(1).max(TTL_MAX);
const YEARS = { first: Date.parse("0000-01-01T00:00:00Z"), end: Date.parse("9999-12-31T23:59:59.999Z") };
/** Any offset; kept in UTC, whose years have four digits: times are compared as texts. */
export const time = z.iso
  .datetime({ offset: true })
  .max(64)
  .refine(
    (value) => Date.parse(value) >= YEARS.first && Date.parse(value) <= YEARS.end,
    "must be in the years 0 to 9999",
  )
  .describe("A time, as in RFC 3339.");

export const day = z.iso.date().meta({ maxLength: 10 });
const dateOrTime = z.union([day, time], "must be a time or a date, as in RFC 3339").meta({ maxLength: 64 });
const occurredAt = dateOrTime.describe("When the fact holds: a time, or a date. Part of the blob.");

const ANY_NUMBER = { minimum: -Number.MAX_VALUE, maximum: Number.MAX_VALUE };
const metadataValue = z.union(
  [z.string().max(LIMITS.metadataBytes), z.number().meta(ANY_NUMBER), z.boolean()],
  `must be a text of at most ${LIMITS.metadataBytes} characters, a number or a boolean`,
);

/** zod's own records have no key `__proto__`. */
const metadata = passthrough(
  z
    .record(z.string().max(LIMITS.name), metadataValue)
    .describe("Named values, 20 at most, and 2,048 bytes as JSON. Part of the blob."),
  metadataFault,
);

export const givenMemoryId = s.matching(/^[\w-]{1,64}$/, "is not the id of a memory", 64).describe("The memory's id.");

export const fact = z
  .strictObject({
    namespace,
    content,
    sourceAgent: sourceAgent
      .optional()
      .describe("The agent that the fact is from. An agent's own key may leave it out."),
    key: factKey.optional().describe("Your name for the fact. Another fact under the same key supersedes it."),
    supersedes: givenMemoryId.optional().describe("The memory that it supersedes, of the same namespace."),
    expiresAt: time.optional().describe("When it expires: it is not recalled from then on."),
    ttl: seconds.optional().describe("The same, in seconds from now."),
    occurredAt: occurredAt.optional(),
    metadata: metadata.optional(),
  })
  .refine(({ expiresAt, ttl }) => expiresAt === undefined || ttl === undefined, {
    path: ["ttl"],
    error: "must be left out when expiresAt is given",
  });

/** Which memories, of all that the caller may read or use. */
export const factFilter = {
  namespacePrefix: recorded.namespace
    .optional()
    .describe("Only memories of this namespace, and of those below it: `trips` also finds `trips/2026`."),
  sourceAgent: recorded.sourceAgent.optional(),
  occurredFrom: dateOrTime.optional().describe("Only what says that it occurred then or later."),
  occurredTo: dateOrTime
    .optional()
    .describe("Only what says that it occurred then or before; a date is the whole day."),
  metadata: metadata
    .optional()
    .describe("Only memories with these values, compared as texts. In a URL: metadata.topic=food."),
};

export const relevance = z
  .number()
  .min(0)
  .max(1)
  .describe(
    "How much it bears on the question. Comparable between questions, whatever other memories there are: see docs/gate.md.",
  );

/** Of a recall or an answer. */
export const recallFilter = {
  ...factFilter,
  asOf: dateOrTime.optional().describe("What was current then, and is not forgotten since. The policy is that of now."),
  minRelevance: relevance.optional().describe("Only memories with at least this relevance, and pinned ones."),
};

const memoryId = s.id.meta({ description: "Assigned by the service.", examples: ["mem_01k9b0zv3e5kq2w8r7t6y5x4n3"] });
const storeRef = s.id.describe("Blob id of the memory in the blob store.");

export const memory = s.component("Memory", {
  memoryId,
  storeRef,
  namespace: s.name,
  content: s.content,
  sourceAgent: s.name,
  createdAt: s.instant,
  contentDigest: s.digest.describe("blake2b256 of the blob's bytes, hex."),
  pinned: s.whenTrue.describe("It is given for every question of an agent that may use it. Not part of the blob."),
  key: z.string().meta({ maxLength: LIMITS.key }).exactOptional().describe("The source agent's own name for it."),
  expiresAt: s.instant.exactOptional().describe("When it expires: it is not recalled from then on."),
  supersedes: s.id.exactOptional().describe("The memory that it superseded."),
  supersededBy: s.id.exactOptional().describe("The memory that superseded it. It is not recalled any more."),
  encrypted: s.whenTrue.describe("Its blob is encrypted."),
  occurredAt: occurredAt.exactOptional(),
  metadata: metadata.exactOptional(),
});

const yes = z.literal(true).optional();

export const why = s.component("Why", {
  terms: s.listed(s.label).optional().describe("The terms that it shares with the question, or nearly shares."),
  date: yes.describe("A date of the question is a date of its text, or when it occurred."),
  meaning: z.number().min(-1).max(1).optional().describe("How close its meaning is to the question's, from -1 to 1."),
  meaningBy: z
    .enum(["table", "minilm"])
    .optional()
    .describe("The table of word vectors, or the sentence model if it is configured and was in time."),
  neighbour: yes.describe("Memories captured just before or after it match the question."),
  pinned: yes,
  newest: yes.describe("Nothing else spoke for it: it is among the newest."),
});

export const recalledMemory = memory.extend({ score: s.score, relevance, why }).meta({ id: "RecalledMemory" });

export const IMPORT_LINES = 10_000;

/** The result of one line of an import. `line` counts from 1, empty lines included. */
export const importResult = z
  .object({
    line: z.int().min(1),
    memory: memory.optional(),
    problem: problemSchema.optional(),
    dryRun: s.whenTrue.describe("It would be stored, and is not."),
  })
  .meta({ id: "ImportResult", description: "Either `memory` or `problem`; in a dry run `dryRun` or `problem`." });

const policy = z
  .record(s.name, z.record(s.name, z.boolean()))
  .meta({ id: "Policy", description: "Agent id, then namespace, then allowed (true) or revoked (false)." });

const policyVersion = s.version.describe("Grows with every change of the policy.");
export const versionedPolicy = z.object({ policy, version: policyVersion });
export const versionAlone = z.object({ version: policyVersion });

export const snippet = s.content.describe("The beginning of the memory's text.");
const verified = z.boolean().describe("A live GET of the blob on the aggregator succeeded.");
const intact = z.boolean().describe("The bytes that it gave are the ones that were stored.");
const digest = s.digest.describe("blake2b256, hex.");

export const blocked = {
  blockedNamespaces: s
    .listed(s.name)
    .describe("Every namespace that the agent may not use, in UTF-8 order; of more than 1,000, the first 1,000."),
  blockedCount: s.count.optional().describe("How many there are. Only when they are not all listed."),
  blockedDigest: s.digest
    .optional()
    .describe("blake2b256 of the canonical JSON of their whole list, hex. Only when they are not all listed."),
};

const contentDigest = digest.describe("blake2b256 of the blob's bytes, hex. It binds the text beyond the snippet.");
const given = s.count.describe(
  "How many characters of the text were given to the model or the caller, in UTF-16 code units.",
);

const usedMemory = z.object({
  memoryId,
  namespace: s.name,
  snippet,
  storeRef,
  authorized: z.boolean().describe("Whether the policy allowed the memory."),
  contentDigest,
  given,
  pinned: s.whenTrue.describe("It was marked as pinned in the prompt."),
  verified,
  intact,
  cited: z
    .boolean()
    .exactOptional()
    .describe("The model says that the answer rests on this memory. Absent when the model does not say."),
});

const byPath = (what: string) =>
  z.record(z.string().max(64), digest).describe(`${what}, by the path of the field. See docs/proof.md.`);

const sealedEvidence = z.object({
  v: z.literal(2).describe("The format of the receipt."),
  kind: z
    .enum(["answered", "recalled"])
    .describe("recalled: memories were given to a caller who brings their own model."),
  model: s.label.nullable().describe("Null when no model was asked."),
  template: s.label.nullable().describe("The id of the prompt's template. Null when no model was asked."),
  policyVersion: s.version,
  policyDigest: s.digest.describe(
    "blake2b256, hex. Stands for the policy's history up to this version, and tells nothing about it.",
  ),
  ledgerVersion: s.version
    .optional()
    .describe("The version of the policy on the ledger that was last read, when somebody else keeps it there."),
  log: z
    .object({ by: s.instant, origin: s.label })
    .optional()
    .describe("The service's promise, when it signs: which transparency log has the receipt, and by when."),
  commitments: byPath("Salted commitments to private fields that this form does not show"),
});

const evidence = sealedEvidence.extend({ salts: byPath("The salts of private fields that this form shows") });

const signature = z
  .object({ keyId: s.id, value: s.signatureValue.describe("Ed25519 over the receipt's sealed form, base64url.") })
  .describe("By the service, when the receipt was issued.");

/** Those that a prompt or a recall had. Receipts of other services may have more. */
const usedMemories = <T extends z.ZodType>(used: T) => s.listed(used, MOST_MEMORIES);

export const opening = s.component("Opening", {
  v: z.literal(2),
  seed: s.digest.describe(
    "Discloses every private field of this receipt, question, filters, prompt and answer among them. Hex.",
  ),
});

export const issuedReceipt = s.component("AnswerReceipt", {
  answerId: s.id,
  agentId: s.name,
  usedMemories: usedMemories(usedMemory),
  ...blocked,
  createdAt: s.instant,
  evidence,
  signature,
});

const snippetForReaders = snippet
  .exactOptional()
  .describe("Left out for auditors, and for an agent where it may not use the namespace now.");

const whenComplete = <T extends z.ZodType>(schema: T) =>
  schema.exactOptional().describe(`${schema.description} Left out while the receipt is not complete.`);

export const viewedReceipt = issuedReceipt
  .extend({
    usedMemories: usedMemories(
      usedMemory.extend({ snippet: snippetForReaders, verified: whenComplete(verified), intact: whenComplete(intact) }),
    ),
    evidence: z.union([evidence, sealedEvidence]).describe("Without salts while the receipt is not complete."),
    signature: whenComplete(signature),
  })
  .meta({ id: "ViewedReceipt" });

/** Far above what a model is let write. */
const LONGEST_ANSWER = 1_000_000;

export const answered = z.object({
  answer: z.string().meta({ maxLength: LONGEST_ANSWER }),
  receipt: issuedReceipt,
  opening,
});

const anySnippet = z.literal("").or(text(LIMITS.content, "The beginning of the memory's text."));

/** A receipt to anchor, issued by this service or another. Its unknown fields are kept: they belong to its bytes. */
export const foreignReceipt = passthrough(
  z
    .looseObject({
      answerId: text(LONGEST_ID, "The answer's id."),
      agentId: recordedName("The agent that the answer was given to."),
      usedMemories: z
        .array(
          z.looseObject({
            namespace: recorded.namespace,
            snippet: anySnippet,
            storeRef: text(LONGEST_STORE_REF, "Blob id of the memory."),
            authorized: z.boolean(),
            verified: z.boolean(),
          }),
        )
        .max(MOST_MEMORIES),
      blockedNamespaces: z.array(recorded.namespace).max(s.MOST_LISTED),
      createdAt: z.iso.datetime({ offset: true, local: true }).meta({ maxLength: 100 }),
    })
    .meta({ id: "ReceiptToAnchor" }),
);

export const storedUntil = s.instant
  .nullable()
  .exactOptional()
  .describe(
    "Until when the blob store keeps the receipt and the memories that it names, at least. Null: as long as this service keeps its records. Left out when it is not known.",
  );

export const anchoredOnChain = z.object({
  txDigest: s.id.describe("Digest of the transaction."),
  receiptId: s.id.describe("Object id of the minted Receipt, 0x and hex."),
  allAuthorized: z.boolean().describe("Whether every claimed namespace was authorized on the ledger."),
  explorerUrl: s.url.describe("A page that shows the transaction."),
  verifyPath: s.url.describe("/verify/<receiptId>"),
  storeBlob: s.id.describe("Blob id of the stored receipt."),
  digestHex: digest,
  storedUntil,
});
