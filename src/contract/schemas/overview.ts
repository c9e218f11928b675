// Counts of what is stored, and what the service runs on.
import { z } from "zod";

const count = z.int().min(0);

export const overview = z
  .object({
    memories: z.object({
      total: count,
      byNamespace: z.array(z.object({ namespace: z.string(), count })),
      bySourceAgent: z.array(z.object({ sourceAgent: z.string(), count })),
    }),
    agents: z.array(z.string()).meta({ description: "Every agent that the policy names or that captured a memory." }),
    answers: z
      .object({
        total: count,
        byHour: z
          .array(z.object({ hour: z.iso.datetime().meta({ description: "The beginning of the hour, UTC." }), count }))
          .meta({ description: "24 hours, oldest first; the last is the current one." }),
        used: count.meta({ description: "Used memories. Each was fetched from the blob store." }),
        verified: count,
        intact: count,
      })
      .meta({ description: "Of the last 24 hours." }),
    anchors: z.object({ blobs: count, onLedger: count, pending: count }),
    policyVersion: z.int(),
  })
  .meta({ id: "Overview" });

const fullNode = z.string().optional().meta({ description: "URL of a full node; absent for the local ledger." });

export const service = z
  .object({
    version: z.string(),
    blobs: z.object({
      kind: z.enum(["memory", "walrus"]).meta({ description: "memory: the mock store, which proves nothing." }),
      aggregator: z
        .string()
        .meta({ description: "Anyone can GET <aggregator>/v1/blobs/<blobId>; empty: this service itself." }),
    }),
    model: z.object({
      kind: z.enum(["extractive", "openai-compatible"]).meta({ description: "extractive: the built-in one." }),
      name: z.string(),
    }),
    ledger: z.object({
      network: z.string().meta({ description: "`local`, or the network's name." }),
      url: fullNode,
    }),
    records: z.enum(["sqlite", "postgres"]),
  })
  .meta({ id: "Service" });

export const ledger = z
  .object({
    network: z.string(),
    packageId: z.string().meta({ description: "The package whose receipts are ours." }),
    url: fullNode,
  })
  .meta({ id: "Ledger" });
