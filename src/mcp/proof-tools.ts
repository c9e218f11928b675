// Tools for rights and proofs: explain_access, get_receipt, verify_receipt.
import { z } from "zod";
import { receiptRows } from "#contract/rows/receipts.ts";
import { READS, type Tool, tool } from "./tool.ts";

/** A policy can have more leaves than a model can read. */
const NAMES_SHOWN = 1_000;

const names = (description: string) => z.array(z.string()).describe(description);

const access = z.object({
  agentId: z.string().describe("Who you are to the service."),
  allowedNamespaces: names("Those that you may use."),
  revokedNamespaces: names("Those that somebody closed to you. Any other is closed as well: nobody opened it."),
  captures: names("Those that you may remember facts in. Left out: any.").exactOptional(),
  isCut: z.literal(true).exactOptional().describe(`A list had more than ${NAMES_SHOWN} names. Left out otherwise.`),
});

export const proofTools: readonly Tool[] = [
  tool({
    name: "explain_access",
    title: "Explain access",
    description:
      "Which namespaces you may use, which were closed to you, and where you may remember facts. Nobody can change that from here.",
    input: z.strictObject({}),
    output: access,
    annotations: READS,
    async run(calls) {
      const { agentId = "", captures } = await calls.call("getSession", {});
      const { policy } = await calls.call("getPolicy", {});
      const leaves = Object.entries(Object.hasOwn(policy, agentId) ? (policy[agentId] ?? {}) : {});
      const named = (wanted: boolean) => leaves.flatMap(([name, allowed]) => (allowed === wanted ? [name] : [])).sort();
      const [allowed, revoked] = [named(true), named(false)];
      return {
        agentId,
        allowedNamespaces: allowed.slice(0, NAMES_SHOWN),
        revokedNamespaces: revoked.slice(0, NAMES_SHOWN),
        ...(captures !== undefined && { captures }),
        ...(Math.max(allowed.length, revoked.length) > NAMES_SHOWN && { isCut: true as const }),
      };
    },
    textOf: ({ agentId, allowedNamespaces, revokedNamespaces, captures }) =>
      [
        `You are the agent ${agentId}.`,
        `You may use: ${listed(allowedNamespaces)}`,
        `Closed to you: ${listed(revokedNamespaces)}, and any other.`,
        `You may remember facts in: ${captures === undefined ? "any namespace" : listed(captures)}`,
      ].join("\n"),
  }),
  tool({
    name: "get_receipt",
    title: "Read a receipt",
    description:
      "A receipt of yours by its answerId: which memories an answer or a recall used, what was blocked, and where it was anchored.",
    input: z.strictObject(receiptRows.getReceipt.params.shape),
    output: receiptRows.getReceipt.response,
    annotations: READS,
    run: (calls, params) => calls.call("getReceipt", { params }),
    textOf: ({ status, receipt, anchor, chain }) =>
      [
        `Receipt ${receipt.answerId} (${status}), ${receipt.createdAt}.`,
        ...receipt.usedMemories.map(
          ({ memoryId, namespace, snippet = "(its text is not yours to read now)" }) =>
            `- [${memoryId}] (${namespace}) ${snippet}`,
        ),
        `Blocked: ${listed(receipt.blockedNamespaces)}`,
        anchor === null ? "It is not anchored." : `Its blob is ${anchor.blobId}.`,
        ...chain.map(({ receiptId }) => `On the ledger: ${receiptId}`),
      ].join("\n"),
  }),
  tool({
    name: "verify_receipt",
    title: "Verify a receipt on the ledger",
    description:
      "Check a receipt that is on the ledger, by the receiptId that get_receipt shows under `chain`: from the ledger's object and the raw bytes of the blobs. `verified` only when every check passes.",
    input: z.strictObject(receiptRows.verify.params.shape),
    output: receiptRows.verify.response,
    // It asks the ledger and the blob store.
    annotations: { ...READS, openWorldHint: true },
    run: (calls, params) => calls.call("verify", { params, query: {} }),
    textOf: ({ receiptId, verdict, checks }) =>
      [`${receiptId}: ${verdict}`, ...checks.map(({ status, sentence }) => `- ${status}: ${sentence}`)].join("\n"),
  }),
];

const listed = (given: readonly string[]): string => (given.length === 0 ? "none" : given.join(", "));
