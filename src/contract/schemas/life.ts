// The life of a memory: what stays when it is forgotten, who used it, and what is said of its namespace.
import { z } from "zod";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { component } from "./component.ts";
import { reason, seconds, text } from "./resources.ts";
import { count, id, instant, name, signatureValue } from "./scalars.ts";

const signature = z.object({ keyId: id, value: signatureValue.describe("Ed25519, base64url.") });

export const tombstone = component("Tombstone", {
  memoryId: id,
  namespace: name,
  cause: z
    .enum(["forgotten", "expired", "reset", "sealed"])
    .describe("sealed: the open memory was captured again as a sealed one."),
  reason: reason.exactOptional(),
  forgottenBy: name,
  forgottenAt: instant,
  signature: signature.describe("By the service. It holds no digest of the text: that would confirm guesses."),
});

export const forgotten = z.object({
  tombstone,
  anchoredReceipts: count.describe(
    "How many receipts that quote it were anchored in the open form. These are public, and stay.",
  ),
  publicUntil: instant
    .exactOptional()
    .describe("The blob store keeps its public blob until then at the earliest. It is not renewed any more."),
});

export const memoryUse = component("MemoryUse", {
  answerId: id,
  agentId: name,
  createdAt: instant,
  status: z.enum(["opened", "issued", "broken-off"]),
});

const settings = {
  description: text(LIMITS.description, "What it is for, for people.").exactOptional(),
  retentionSeconds: seconds
    .exactOptional()
    .describe("How long memories are kept that do not say it themselves; for those captured from then on."),
};

export const namespaceSettings = z.object({
  ...settings,
  sealed: z.boolean().exactOptional().describe("Whether its memories are encrypted. Left out: as it is."),
});

export const namespaceEntry = component("Namespace", {
  name,
  memories: count.describe("How many current memories it has."),
  ...settings,
  sealed: z.boolean(),
});

export const sealing = component("Sealing", {
  done: z.boolean().describe("False: it goes on in the background."),
  sealed: count.describe("How many open memories were captured again sealed, and forgotten."),
  forgottenHistory: count.describe("How many superseded memories were forgotten. They are not captured again."),
  anchoredReceipts: count.describe(
    "How often receipts that were anchored in the open form quote them. These stay public.",
  ),
  publicUntil: instant
    .exactOptional()
    .describe("The blob store keeps the last of the open blobs until then at the earliest."),
});
