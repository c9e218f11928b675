import { PAGES } from "#contract/page-paths.ts";
import type { Service } from "#test/support/service.ts";
import { askAndAnchor } from "./ask-and-anchor.ts";

/** The path of each page where nobody signs in; of those with an id, the page of something that the service has. */
export async function pathsOfPages(service: Service): Promise<readonly string[]> {
  const { receipt, receiptId, txDigest } = await askAndAnchor(service);
  const samples = new Map([
    ["answerId", receipt.answerId],
    ["receiptId", receiptId],
    ["objectId", receiptId],
    ["digest", txDigest],
    ["agentId", "assistant"],
    ["name", "health"],
    ["memoryId", receipt.usedMemories[0]?.memoryId],
  ]);
  return Object.values(PAGES)
    .filter((row) => !("forIdentities" in row))
    .map(({ path }) => path.replace(/:(\w+)/, (_, name: string) => encodeURIComponent(samples.get(name) ?? name)));
}
