// Counts of what is stored, and what the service runs on.
import { z } from "zod";
import { component } from "./component.ts";
import { count, digest, id, instant, label, listed, MOST_LISTED, name, url, version } from "./scalars.ts";

export const overview = component("Overview", {
  memories: z.object({
    total: count,
    namespaces: count.describe("How many namespaces have memories."),
    byNamespace: z
      .array(z.object({ namespace: name, count }))
      .meta({ maxItems: MOST_LISTED })
      .describe("The 1,000 namespaces with most memories, in order of names."),
    sourceAgents: count.describe("How many agents captured memories."),
    bySourceAgent: z
      .array(z.object({ sourceAgent: name, count }))
      .meta({ maxItems: MOST_LISTED })
      .describe("The 1,000 agents that captured most memories, in order of names."),
  }),
  agents: listed(name).describe("Agents that the policy names or that captured a memory, the first 1,000."),
  answers: z
    .object({
      total: count.describe("Answers whose receipt was issued."),
      opened: count.describe("Answers that are being made now; counted up to 10,000."),
      brokenOff: count.describe("Answers that did not reach their caller whole. The receipts of some were issued."),
      byHour: z
        .array(z.object({ hour: instant.describe("The beginning of the hour, UTC."), count }))
        .meta({ maxItems: 24 })
        .describe("24 hours, oldest first; the last is the current one."),
      used: count.describe("Used memories. Each was fetched from the blob store."),
      verified: count,
      intact: count,
    })
    .describe("Of the last 24 hours."),
  anchors: z.object({ blobs: count, onLedger: count, pending: count }),
  policyVersion: version,
});

const fullNode = url.optional().describe("URL of a full node; absent for the local ledger.");

export const service = component("Service", {
  version: label,
  blobs: z.object({
    kind: z.enum(["memory", "walrus"]).describe("memory: the mock store, which proves nothing."),
    aggregator: url.describe("Anyone can GET <aggregator>/v1/blobs/<blobId>; empty: this service itself."),
  }),
  model: z.object({
    kind: z.enum(["extractive", "openai-compatible"]).describe("extractive: the built-in one."),
    name: label,
  }),
  ledger: z.object({ network: label.describe("`local`, or the network's name."), url: fullNode }),
  records: z.enum(["sqlite", "postgres"]),
  allowsReset: z.boolean().describe("Whether an admin can reset it."),
  sealing: z
    .enum(["ready", "no-key", "other-key"])
    .describe(
      "Whether namespaces can be sealed. no-key: SEAL_KEY is not set. other-key: it is not the key that the database was sealed with. Then sealed namespaces are blocked for everybody.",
    ),
});

export const ledger = component("Ledger", {
  network: label,
  packageId: id.describe("The package whose receipts are ours."),
  formerPackageId: id.exactOptional().describe("The package of release 0.1.0, whose receipts stay ours."),
  url: fullNode,
});

/** A gate on the ledger holds no more. */
const MOST_SIGNING_KEYS = 32;

const signingKey = z.object({
  keyId: id,
  publicKey: digest.describe("Ed25519, 32 bytes, hex."),
  createdAt: instant,
  endedAt: instant.exactOptional().describe("What is anchored later is not signed by it. Absent while it signs."),
});

export const operatorsWord = component("OperatorsWord", {
  network: label.describe("`local`, or the network's name."),
  packageId: id.describe("The package whose receipts are ours."),
  formerPackageId: id.exactOptional().describe("The package of release 0.1.0, whose receipts stay ours."),
  gateId: id.describe("The gate that judges claims, and names the keys on the ledger."),
  signer: id.describe("The address that anchors."),
  keys: z
    .array(signingKey)
    .meta({ maxItems: MOST_SIGNING_KEYS })
    .describe("The keys that sign receipts, oldest first."),
});
