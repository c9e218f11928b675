// Receipts and their anchors, and the feed of events.
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { listPages } from "#cli/shared/list-pages.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { EXIT } from "#cli/table/command.ts";
import type { Output } from "#cli/terminal/output.ts";
import { safeLine } from "#cli/terminal/safe-text.ts";
import { type Cell, toned, whole } from "#cli/terminal/table.ts";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import { assuranceOf } from "#core/verify/assurance.ts";

export const runs: Runs<"receipts" | "anchor" | "events"> = {
  async receipts(invocation) {
    const [answerId] = invocation.positionals;
    if (answerId !== undefined) return showOne(invocation, answerId);
    return listPages(invocation, "listReceipts", COLUMNS, rowOf);
  },

  async anchor(invocation) {
    const { positionals, values, wanted, print, say, json, tell } = invocation;
    const { blob, sealed, claimNamespaces } = wanted;
    if (blob && claimNamespaces !== undefined) throw new UsageError("A blob has no claims. Leave --claim out.");
    const { client, url } = await openClient(invocation);
    const what = { answerId: positionals[0] ?? "", sealed };
    if (blob) {
      const stored = await client.anchorReceipt(what);
      const page = `${url}${pagePath("verifyStart")}?q=${encodeURIComponent(stored.blobId)}`;
      await tell(stored, { print: stored.blobId, say: `Check it: ${page}` });
      if (stored.verified) return undefined;
      await say("The blob is not reachable yet. Run portcullis anchor again.");
      return EXIT.unverified;
    }
    const anchored = await client.anchorOnChain({ ...what, claimNamespaces });
    if (values.json) await json(anchored);
    else {
      await print(anchored.receiptId);
      const { ledger, blobs } = await client.getService();
      await say(`Check it: ${url}${anchored.verifyPath}`);
      await say(assuranceOf({ network: ledger.network, blobs: blobs.kind }));
    }
    if (anchored.allAuthorized) return undefined;
    await say("The ledger says that not every claimed namespace was authorized.");
    return EXIT.unverified;
  },

  async events(invocation) {
    const { values, wanted, out, json, signal } = invocation;
    const { client } = await openClient(invocation);
    // The feed tries again for ever. A service that is not there at all, or refuses the key, is told at once.
    await client.getService();
    for await (const event of client.listenToEvents(wanted))
      await (values.json ? json(event) : out.write(`${lineOf(event, out)}\n`));
    signal.throwIfAborted();
  },
};

const COLUMNS = [whole("ANSWER"), "AGENT", whole("WHEN"), whole("STATUS"), whole("USED"), whole("ANCHOR")];

type Entry = Reply<"getReceipt">;

function rowOf({ receipt, status, anchor, chain }: Entry): Cell[] {
  const { answerId, agentId, createdAt, usedMemories } = receipt;
  const place = chain.length > 0 ? "ledger" : anchor === null ? "no" : "blob";
  return [
    answerId,
    agentId,
    `${createdAt.slice(0, 10)} ${createdAt.slice(11, 16)}`,
    status === "broken-off" ? { text: status, tone: "bad" } : status,
    String(usedMemories.length),
    place === "no" ? { text: place, tone: "quiet" } : { text: place, tone: "good" },
  ];
}

async function showOne(invocation: Invocation<"receipts">, answerId: string): Promise<undefined> {
  const { client } = await openClient(invocation);
  const entry = await client.getReceipt({ answerId });
  const { receipt, status, reason, anchor, chain } = entry;
  const { agentId, createdAt, usedMemories, blockedNamespaces, blockedCount, evidence } = receipt;
  const blocked = blockedCount === undefined ? "" : `, … (${blockedCount} in all)`;
  const lines = [
    `answer    ${answerId}`,
    `agent     ${agentId}`,
    `when      ${createdAt}`,
    `status    ${status}${reason === undefined ? "" : ` (${reason})`}`,
    `model     ${evidence.model ?? "none was asked"}`,
    `policy    version ${evidence.policyVersion}`,
    `blocked   ${blockedNamespaces.length === 0 ? "nothing" : `${blockedNamespaces.join(", ")}${blocked}`}`,
    `used      ${usedMemories.length === 0 ? "nothing" : ""}`.trimEnd(),
    ...usedMemories.map(
      ({ memoryId, namespace, snippet = "(not shown)" }) =>
        `  ${memoryId}  ${namespace}: ${snippet.replaceAll("\n", " ")}`,
    ),
    `blob      ${anchor === null ? "not stored" : anchor.blobId}`,
    ...chain.map(({ receiptId, anchoredAt }) => `ledger    ${receiptId}, ${anchoredAt}`),
  ];
  return invocation.tell(entry, { print: lines.join("\n") });
}

function lineOf({ name, data }: Reply<"listenToEvents">, out: Output): string {
  const { at = "", ...fields } = data;
  const rest = Object.entries(fields).map(([field, value]) => `${field}=${value}`);
  const [time, title] = [safeLine(at.slice(0, 19)), safeLine(name).padEnd(18)];
  return `${toned(out, "quiet", time)}  ${toned(out, "strong", title)}  ${safeLine(rest.join(" "))}`;
}
