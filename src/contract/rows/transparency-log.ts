// The transparency log: proofs of answers, and what a tenant has in it. Checkpoints and tiles are files below /log/.
import { z } from "zod";
import * as s from "#contract/schemas/scalars.ts";
import { MOST_HASHES } from "#core/log/merkle-tree.ts";
import { LARGEST_BODY, MOST_DATED } from "#core/verify/checks/log-entries.ts";
import { answerId } from "./receipts.ts";
import type { Rows } from "./row.ts";

const LONGEST_NOTE = 256 * 1024;

const size = z.preprocess(s.wholeNumber, z.int().min(0).max(Number.MAX_SAFE_INTEGER));
const note = z.string().meta({ maxLength: LONGEST_NOTE });
const hashes = s.listed(s.digest.describe("base64."), MOST_HASHES);
const vkey = s.sentence.describe("The name and the key of the log (C2SP signed-note).");

const entry = s.component("LogEntry", {
  number: s.count.describe("The tenant's running number, 1, 2, 3 … without gaps."),
  index: s.count.describe("In the tree."),
  body: z.string().meta({ maxLength: LARGEST_BODY }).describe("Canonical JSON: `at`, `kind`, `number`, and more."),
  salt: s.digest.describe("32 bytes, hex. With the body, it gives the entry."),
});

const provenEntry = entry
  .extend({ hashes: hashes.describe("To the root. The sibling of the leaf first, the child of the root last.") })
  .meta({ id: "ProvenEntry" });

const logProof = s.component("LogProof", {
  vkey,
  entry: provenEntry.describe("`issued`: the digest of the receipt's sealed form, and of its signature."),
  opened: provenEntry.describe("Recorded before the prompt left."),
  key: provenEntry.describe("`signing-key`, in the chain of the deployment: the key that signed the receipt, begun."),
  checkpoint: note.describe("A signed note (C2SP tlog-checkpoint), with the cosignatures of witnesses."),
  anchored: z
    .object({
      objectId: s.id.describe("A `Checkpoint` on the ledger: a tree of the log that nobody can change."),
      hashes: hashes.describe("From `entry` to the root of that tree."),
    })
    .optional()
    .describe("Once the ledger has a tree with the entry."),
  dated: s
    .listed(provenEntry, MOST_DATED)
    .optional()
    .describe("Of used memories that were forgotten, of the keys that sign their tombstones, and of ends of keys."),
});

const PROOF = { params: z.object({ answerId }), problems: ["not-found", "not-in-log"] } as const;

export const transparencyLogRows = {
  getReceiptProof: {
    summary: "That the receipt of an answer is in the transparency log, for whoever may read the receipt.",
    ...PROOF,
    problems: [...PROOF.problems, "policy-changed"],
    response: logProof,
    streams: "reply",
  },
  getReceiptProofFile: {
    summary: "The same as a file (C2SP tlog-proof).",
    ...PROOF,
    response: note,
    mediaType: "text/plain",
    streams: "reply",
  },
  getLog: {
    summary: "The log, and where the tenant's entries end in it. Two auditors of a tenant can compare that.",
    response: s.component("Log", {
      vkey,
      number: s.count.describe("Of the tenant's last entry in the tree."),
      chain: s.digest.describe("The hash chain over the tenant's entries, hex."),
      size: s.count.describe("Of the tree that has them."),
      checkpoint: note,
    }),
  },
  listLogEntries: {
    summary: "The tenant's entries in the tree, by number, each with what opens it.",
    query: z.object({
      after: size.optional().describe("Entries after this number."),
      limit: z.preprocess(s.wholeNumber, z.int().min(1).max(s.MOST_LISTED)).optional().describe("How many a page has."),
      chain: z
        .enum(["tenant", "deployment"])
        .optional()
        .describe("deployment: keys that sign receipts, and keys that act in every tenant."),
    }),
    response: z.object({ entries: s.listed(entry) }),
  },
  getLogConsistency: {
    summary: "That the tree of one size is the beginning of the tree of another.",
    query: z.object({ from: size, to: size }),
    response: z.object({ hashes }),
    problems: ["not-found"],
  },
} as const satisfies Rows;
