// Figures for whoever answers for the service.
import { z } from "zod";
import { component } from "./component.ts";
import { count, instant, MOST_LISTED, name } from "./scalars.ts";

const milliseconds = count.exactOptional();
const isComplete = z.boolean().describe("False: there is more than a report looks at, and the count ends there.");

export const reports = component("Reports", {
  from: instant.describe("The beginning of an hour, UTC."),
  to: instant.describe("Exclusive; the end of an hour."),
  prevented: z
    .object({
      answers: count.describe("Complete answers and recalls in the decision log."),
      heldBack: count.describe("Those for which the gate held at least one namespace back."),
      refused: count.describe("Calls that an agent made and may not make."),
      weeks: z
        .array(
          z.object({
            week: z.iso.date().meta({ maxLength: 10 }).describe("Its Monday, UTC."),
            agentId: name,
            answers: count,
            heldBack: count,
            refused: count,
          }),
        )
        .meta({ maxItems: MOST_LISTED })
        .describe("By week, newest first, and agent."),
      leftOut: count.describe("How many rows of `weeks` were left out."),
      since: instant
        .exactOptional()
        .describe("When the log of this time is too long: what is older than this was not looked at."),
    })
    .describe("Accesses that were prevented."),
  ledger: z
    .object({
      answers: count.describe("Complete answers and recalls, with those whose receipt was pruned."),
      onLedger: count.describe("Those whose receipt is on the ledger."),
      isComplete,
    })
    .describe("The share of answers on the ledger."),
  revokes: z
    .object({
      count: count.describe("Calls that closed a gate, also one that was closed already."),
      medianMs: milliseconds,
      p95Ms: milliseconds,
      maxMs: milliseconds,
      isComplete,
    })
    .describe("Milliseconds from the arrival of a revoke until it was in force, when it is acknowledged."),
  gates: z
    .object({
      open: count.describe("Gates that stand open now."),
      neverUsed: count.describe("Those through which no answer and no recall was ever given a memory."),
      gates: z
        .array(z.object({ agentId: name, namespace: name }))
        .meta({ maxItems: 200 })
        .describe("The first 200 of them."),
      isComplete,
    })
    .describe("Gates that stand open and were never used, whatever the time."),
});
