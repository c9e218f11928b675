import type { BlockedNamespaces } from "#service/receipts/blocked-namespaces.ts";
import { jsonList } from "./json-list.ts";
import { type ResponseWriter, sendPieces } from "./response-writer.ts";

/** Sends all blocked namespaces of an answer page by page. */
export function sendBlockedNamespaces(
  response: ResponseWriter,
  { count, digest, pages }: BlockedNamespaces,
): Promise<void> {
  const opening = `{"blockedCount":${count},"blockedDigest":${JSON.stringify(digest)},"blockedNamespaces":[`;
  return sendPieces(response, "application/json", jsonList(opening, pages));
}
