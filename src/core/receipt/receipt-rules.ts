// What each field of a receipt is, as rules without zod, which the verifier in a browser does not load. The types follow.
import * as shape from "#core/encoding/json-shape.ts";
import { LIMITS, recordedNameFault, textFault } from "#core/encoding/text-validation.ts";

/** How many memories, and how many blocked namespaces, a receipt lists, and how long ids in it are. */
export const MOST_MEMORIES = 256;
export const LONGEST_ID = 128;
export const LONGEST_STORE_REF = 256;

export const name = shape.string(recordedNameFault);
export const text = (limit: number) => shape.string((value) => textFault(value, limit));
export const digest = shape.matching(/^[0-9a-f]{64}$/, "64 hex digits");
/** As JavaScript writes it, with milliseconds and in UTC: so one time has one text. Years have four digits. */
export const time = shape.string((value) => {
  const date = new Date(value);
  const isTime = value.length === 24 && !Number.isNaN(date.getTime()) && date.toISOString() === value;
  return isTime ? undefined : "must be a time in UTC";
});

export const snippet = shape.string((value) => (value === "" ? undefined : textFault(value, LIMITS.content)));
/** Blocked namespaces, of which a receipt lists the first. */
export const MOST_LISTED = 1_000;

/** In a receipt that is made here, a field that has no value may be undefined. */
const orAbsent = <T>(rule: shape.Rule<T>): shape.Rule<T | undefined> => rule;

/** A used memory without its snippet. */
export const MEMORY_REST = {
  required: {
    authorized: shape.flag,
    /** blake2b256 of the blob's bytes, hex. It binds the text beyond the snippet. */
    contentDigest: digest,
    /** How many characters of the text were given to the model, or to the caller, in UTF-16 code units. */
    given: shape.count,
    /** The fetched bytes are the ones that were stored. */
    intact: shape.flag,
    memoryId: text(LONGEST_ID),
    namespace: name,
    storeRef: text(LONGEST_STORE_REF),
    /** A live GET of the blob succeeded. */
    verified: shape.flag,
  },
  optional: {
    /** The model says that the answer rests on it. Absent when the model does not say. */
    cited: shape.flag,
    /** It was marked as pinned in the prompt. */
    pinned: shape.oneOf(true),
  },
} as const;

/** What both forms say of an answer, beside its private fields. */
export const HEAD = {
  required: {
    v: shape.oneOf(2),
    /** An answer in words, or memories for a caller who brings their own model. */
    kind: shape.oneOf("answered", "recalled"),
    /** As it names itself. Null, with the template, if no model was asked. */
    model: shape.orNull(shape.anyString),
    /** The id of the prompt's template (core/prompt/template.ts). */
    template: shape.orNull(text(LONGEST_ID)),
    policyVersion: shape.count,
    /** Stands for the policy's whole history up to that version (`policyDigestOf`). */
    policyDigest: digest,
  },
  optional: {
    /** The version on the ledger that was last read, when somebody else keeps the policy there. */
    ledgerVersion: orAbsent(shape.count),
    /** The service's promise, when it signs: the log that has the receipt by this time. */
    log: orAbsent(shape.exactFields({ by: time, origin: text(LONGEST_STORE_REF) })),
  },
} as const;

const memory = shape.exactFields({ ...MEMORY_REST.required, snippet }, MEMORY_REST.optional);
const evidence = shape.exactFields(
  {
    ...HEAD.required,
    /** By path, to the private fields that this form does not show (sealed-form.ts). */
    commitments: shape.everyMember(digest),
    /** By path, of the private fields that it shows. */
    salts: shape.everyMember(digest),
  },
  HEAD.optional,
);
/** By the service, over the sealed form, when the receipt is issued. */
export const signature = shape.exactFields({
  keyId: shape.matching(/^[0-9a-f]{32}$/, "32 hex digits"),
  // Ed25519, 64 bytes: the last of the 86 characters has four bits that are 0.
  value: shape.matching(/^[A-Za-z0-9_-]{85}[AQgw]$/, "64 bytes in base64url"),
});
const OPEN_HEAD = {
  agentId: name,
  answerId: text(LONGEST_ID),
  /** In UTF-8 order. When there are more than 1,000, the first of them. */
  blockedNamespaces: shape.listOf(name, MOST_LISTED),
  createdAt: time,
} as const;
/** Only when some are not listed: how many are blocked, and the digest of the canonical JSON of their whole list. */
const UNLISTED = { blockedCount: orAbsent(shape.count), blockedDigest: orAbsent(digest) } as const;
export const signedReceipt = shape.exactFields(
  { ...OPEN_HEAD, evidence, signature, usedMemories: shape.listOf(memory, MOST_MEMORIES) },
  UNLISTED,
);

const { intact: _, verified: __, ...MEMORY_IN_PROMPT } = MEMORY_REST.required;
/** As it is on record before its prompt leaves: without what only the end of the answer can say. */
export const begunReceipt = shape.exactFields(
  {
    ...OPEN_HEAD,
    evidence: shape.exactFields({ ...HEAD.required, commitments: shape.everyMember(digest) }, HEAD.optional),
    usedMemories: shape.listOf(
      shape.exactFields(MEMORY_IN_PROMPT, { pinned: MEMORY_REST.optional.pinned }),
      MOST_MEMORIES,
    ),
  },
  UNLISTED,
);
/** What must be there of a receipt on record for its parts to be looked at. */
export const recordedParts = shape.fields({
  evidence: shape.fields({ commitments: shape.everyMember(digest), salts: shape.everyMember(digest) }),
  usedMemories: shape.listOf(shape.fields({}), MOST_MEMORIES),
});

export type UsedMemory = shape.Shaped<typeof memory> & {
  /** A receipt may be published, and these would publish words of the question. */
  readonly why?: never;
  readonly score?: never;
};
export type Evidence = shape.Shaped<typeof evidence>;
export type LogPromise = NonNullable<Evidence["log"]>;
export type Signature = shape.Shaped<typeof signature>;
export type AnswerReceipt = Omit<shape.Shaped<typeof signedReceipt>, "usedMemories"> & {
  readonly usedMemories: readonly UsedMemory[];
};
