import type { BlockedNamespaces } from "#service/receipts/blocked-namespaces.ts";
import { type ResponseWriter, sendPieces } from "./response-writer.ts";

/** Sends all blocked namespaces of an answer page by page. */
export function sendBlockedNamespaces(response: ResponseWriter, blocked: BlockedNamespaces): Promise<void> {
  return sendPieces(response, "application/json", jsonOf(blocked));
}

async function* jsonOf({ count, digest, pages }: BlockedNamespaces): AsyncGenerator<string> {
  let opening = `{"blockedCount":${count},"blockedDigest":${JSON.stringify(digest)},"blockedNamespaces":[`;
  for await (const names of pages) {
    if (names.length === 0) continue;
    yield opening + names.map((name) => JSON.stringify(name)).join(",");
    opening = ",";
  }
  yield opening === "," ? "]}" : `${opening}]}`;
}
