// What the service says about itself, its figures, and its reset.
import { z } from "zod";
import * as s from "#contract/schemas/scalars.ts";
import { givenInstant } from "./logs.ts";
import type { Rows } from "./row.ts";

const overview = s.component("Overview", {
  memories: z.object({
    total: s.count,
    namespaces: s.count.describe("How many namespaces have memories."),
    byNamespace: s
      .listed(z.object({ namespace: s.name, count: s.count }))
      .describe("The 1,000 namespaces with most memories, in order of names."),
    sourceAgents: s.count.describe("How many agents captured memories."),
    bySourceAgent: s
      .listed(z.object({ sourceAgent: s.name, count: s.count }))
      .describe("The 1,000 agents that captured most memories, in order of names."),
  }),
  agents: s.listed(s.name).describe("Agents that the policy names or that captured a memory, the first 1,000."),
  answers: z
    .object({
      total: s.count.describe("Answers whose receipt was issued."),
      begun: s.count.describe("Answers that are being made now; counted up to 10,000."),
      brokenOff: s.count.describe("Answers that did not reach their caller whole. The receipts of some were issued."),
      byHour: s
        .listed(z.object({ hour: s.instant.describe("The beginning of the hour, UTC."), count: s.count }), 24)
        .describe("24 hours, oldest first; the last is the current one."),
      used: s.count.describe("Used memories. Each was fetched from the blob store."),
      verified: s.count,
      intact: s.count,
    })
    .describe("Of the last 24 hours."),
  anchors: z.object({ blobs: s.count, onLedger: s.count, pending: s.count }),
  policyVersion: s.version,
  isDemo: z
    .boolean()
    .describe("Whether it holds the demo and nothing else, and may be reset: a reset takes nothing of one’s own."),
});

const fullNode = s.url.optional().describe("URL of a full node; absent for the local ledger.");

const service = s.component("Service", {
  version: s.label,
  blobs: z.object({
    kind: z.enum(["memory", "walrus"]).describe("memory: the mock store, which proves nothing."),
    aggregator: s.url.describe("Anyone can GET <aggregator>/v1/blobs/<blobId>; empty: this service itself."),
  }),
  model: z.object({
    kind: z.enum(["extractive", "openai-compatible"]).describe("extractive: the built-in one."),
    name: s.label,
  }),
  ledger: z.object({ network: s.label.describe("`local`, or the network's name."), url: fullNode }),
  records: z.enum(["sqlite", "postgres"]),
  seed: z.enum(["demo", "none"]).describe("What a new database begins with."),
  recallLimit: s.count.describe("How many memories a recall gives at most."),
  encryption: z
    .enum(["ready", "no-key", "other-key"])
    .describe(
      "Whether namespaces can be encrypted. no-key: ENCRYPTION_KEY is not set. other-key: it is not the key that the database was encrypted with. Then encrypted namespaces are blocked for everybody.",
    ),
});

export const ledger = s.component("Ledger", {
  network: s.label,
  packageId: s.id.describe("The package whose receipts are ours."),
  names: z
    .enum(["plain", "pseudonyms"])
    .exactOptional()
    .describe("What agents and namespaces are called there. Absent when the ledger does not answer."),
  url: fullNode,
});

/** A policy object holds no more. */
const MOST_SIGNING_KEYS = 32;

const signingKey = z.object({
  keyId: s.id,
  publicKey: s.digest.describe("Ed25519, 32 bytes, hex."),
  createdAt: s.instant,
  endedAt: s.instant.exactOptional().describe("What is anchored later is not signed by it. Absent while it signs."),
});

export const trustRoot = s.component("TrustRoot", {
  network: s.label.describe("`local`, or the network's name."),
  packageId: s.id.describe("The package whose receipts are ours."),
  gateId: s.id.describe(
    "The policy object of the tenant `default` on the ledger. It judges claims, and names the keys. Those of other tenants are of the same package.",
  ),
  signer: s.id.describe("The address that anchors."),
  keys: s.listed(signingKey, MOST_SIGNING_KEYS).describe("The keys that sign receipts, oldest first."),
  logKey: s.sentence.describe("The name and the key of the transparency log (C2SP signed-note)."),
});

const milliseconds = s.count.exactOptional();
const isComplete = z.boolean().describe("False: there is more than a report looks at, and the count ends there.");

const reports = s.component("Reports", {
  from: s.instant.describe("The beginning of an hour, UTC."),
  to: s.instant.describe("Exclusive; the end of an hour."),
  prevented: z
    .object({
      answers: s.count.describe("Complete answers and recalls in the decision log."),
      refused: s.count.describe("Calls that an agent made and may not make."),
      weeks: s
        .listed(
          z.object({
            week: z.iso.date().meta({ maxLength: 10 }).describe("Its Monday, UTC."),
            agentId: s.name,
            answers: s.count,
            refused: s.count,
          }),
        )
        .describe("By week, newest first, and agent."),
      leftOut: s.count.describe("How many rows of `weeks` were left out."),
      since: s.instant
        .exactOptional()
        .describe("When the log of this time is too long: what is older than this was not looked at."),
    })
    .describe("Answers, and calls that were refused."),
  ledger: z
    .object({
      answers: s.count.describe("Complete answers and recalls, with those whose receipt was pruned."),
      onLedger: s.count.describe("Those whose receipt is on the ledger."),
      isComplete,
    })
    .describe("The share of answers on the ledger."),
  revokes: z
    .object({
      count: s.count.describe("Calls that closed a gate, also one that was closed already."),
      medianMs: milliseconds,
      p95Ms: milliseconds,
      maxMs: milliseconds,
      isComplete,
    })
    .describe("Milliseconds from the arrival of a revoke until it was in force, when it is acknowledged."),
  gates: z
    .object({
      open: s.count.describe("Gates that stand open now."),
      neverUsed: s.count.describe("Those through which no answer and no recall was ever given a memory."),
      gates: s.listed(z.object({ agentId: s.name, namespace: s.name }), 200).describe("The first 200 of them."),
      isComplete,
    })
    .describe("Gates that stand open and were never used, whatever the time."),
});

export const operationRows = {
  getOverview: { summary: "Counts of memories, answers and anchors.", response: overview },
  getReports: {
    summary: "Accesses prevented, time from revoke to in force, share of answers on the ledger, gates never used.",
    query: z.object({
      from: givenInstant.optional().describe("By default 28 days before `to`. Rounded to whole hours."),
      to: givenInstant.optional().describe("By default now. At most 366 days after `from`."),
    }),
    response: reports,
  },
  getService: { summary: "The version of this service, and what it runs on.", response: service },
  getMetrics: {
    summary: "Metrics of this process, in the text format of Prometheus.",
    response: z.string().meta({ maxLength: 10_000_000 }),
    streams: "reply",
    mediaType: "text/plain",
  },
  resetDemo: {
    summary: "Restore the seed memories and the default policy. Receipts and anchors stay.",
    body: z.strictObject({}),
    response: z.object({ ok: z.boolean() }),
    problems: ["blob-store-failed"],
  },
} as const satisfies Rows;
