// The decision log, and events.
import { z } from "zod";
import { component } from "./component.ts";

export const outcome = z
  .enum(["answered", "given", "captured", "changed", "anchored", "refused", "failed", "broken-off"])
  .describe(
    "given: memories were listed or read. changed: the policy, a pin, a key, or all records by a reset. broken-off: an answer was begun, and did not reach its end.",
  );

export const instant = z.iso.datetime({ precision: 3 });

export const decision = component("Decision", {
  id: z.string().describe("A position in the log."),
  sequence: z.int().optional().describe("Not for agents: it counts the decisions about all of them."),
  at: z.iso.datetime(),
  principalId: z.string().describe("The caller: a key, or the subject of a token."),
  principalName: z.string(),
  role: z.enum(["admin", "namespace-admin", "agent", "auditor", "public"]),
  agentId: z.string().optional().describe("In whose name it was asked, or whose row of the policy changed."),
  route: z.string().describe("The operation's id in openapi.json, or `blob` for a blob in mock mode."),
  policyVersion: z.int(),
  allowedNamespaces: z.array(z.string()).optional().describe("Of the agent at that moment; the first 1,000."),
  allowedCount: z.int().optional(),
  blockedNamespaces: z.array(z.string()).optional().describe("Of the agent at that moment; the first 1,000."),
  blockedCount: z.int().optional(),
  outcome,
  answerId: z.string().optional(),
  memoryId: z.string().optional(),
});

const EVENT_NAMES = [
  "policy-changed",
  "memory-captured",
  "memory-forgotten",
  "memory-superseded",
  "receipt-opened",
  "receipt-issued",
  "receipt-broken-off",
  "receipt-anchored",
  "reset",
] as const;

export const event = component("Event", {
  id: z.string().describe("Goes on after this event, as `Last-Event-ID`. For agents it tells nothing else."),
  name: z.enum(EVENT_NAMES).describe("reset: events may have been missed, so load again what you show."),
  data: z
    .object({
      at: z.iso.datetime().optional(),
      version: z.int().optional().describe("Of the policy; for admins and auditors."),
      agentId: z.string().optional(),
      namespace: z.string().optional().describe("Left out by a reset of the service, which concerns all."),
      allowed: z.boolean().nullable().optional(),
      memoryId: z.string().optional(),
      sourceAgent: z.string().optional(),
      cause: z.string().optional().describe("Why a memory was forgotten."),
      supersededBy: z.string().optional(),
      answerId: z.string().optional(),
      blobId: z.string().optional(),
      receiptId: z.string().optional(),
      txDigest: z.string().optional(),
    })
    .describe("Ids and names, and no text."),
});
