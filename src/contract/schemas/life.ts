// The life of a memory: what stays when it is forgotten, who used it, and what is said of its namespace.
import { z } from "zod";
import { component } from "./component.ts";
import { reason, seconds } from "./resources.ts";

const signature = z.object({ keyId: z.string(), value: z.string().describe("Ed25519, base64url.") });

export const tombstone = component("Tombstone", {
  memoryId: z.string(),
  namespace: z.string(),
  cause: z
    .enum(["forgotten", "expired", "reset", "sealed"])
    .describe("sealed: the open memory was captured again as a sealed one."),
  reason: reason.exactOptional(),
  forgottenBy: z.string(),
  forgottenAt: z.iso.datetime(),
  signature: signature.describe("By the service. It holds no digest of the text: that would confirm guesses."),
});

export const forgotten = z.object({
  tombstone,
  anchoredReceipts: z
    .int()
    .describe("How many receipts that quote it were anchored in the open form. These are public, and stay."),
  publicUntil: z.iso
    .datetime()
    .exactOptional()
    .describe("The blob store keeps its public blob until then at the earliest. It is not renewed any more."),
});

export const memoryUse = component("MemoryUse", {
  answerId: z.string(),
  agentId: z.string(),
  createdAt: z.iso.datetime(),
  status: z.enum(["opened", "issued", "broken-off"]),
});

const settings = {
  description: z.string().min(1).max(1_000).exactOptional().describe("What it is for, for people."),
  retentionSeconds: seconds
    .exactOptional()
    .describe("How long memories are kept that do not say it themselves; for those captured from then on."),
};

export const namespaceSettings = z.object({
  ...settings,
  sealed: z.boolean().default(false).describe("Its memories are encrypted."),
});

export const namespaceEntry = component("Namespace", {
  name: z.string(),
  memories: z.int().describe("How many current memories it has."),
  ...settings,
  sealed: z.boolean(),
});

export const sealing = component("Sealing", {
  done: z.boolean().describe("False: it goes on in the background."),
  sealed: z.int().describe("How many open memories were captured again sealed, and forgotten."),
  forgottenHistory: z.int().describe("How many superseded memories were forgotten. They are not captured again."),
  anchoredReceipts: z
    .int()
    .describe("How often receipts that were anchored in the open form quote them. These stay public."),
  publicUntil: z.iso
    .datetime()
    .exactOptional()
    .describe("The blob store keeps the last of the open blobs until then at the earliest."),
});
