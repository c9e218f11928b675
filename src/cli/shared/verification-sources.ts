// Whom this machine asks when it verifies a receipt: the service for what it alone knows, full nodes, and the blob store.
import { UsageError } from "#cli/invocation.ts";
import type { Client } from "#contract/client/client.ts";
import { PortcullisError } from "#core/errors.ts";
import { fetchBlob } from "#verification/fetch-blob.ts";
import { networkFetchers } from "#verification/network-fetchers.ts";
import { sourcesOf } from "#verification/sources.ts";
import type { openClient } from "./service-client.ts";

export async function askingFrom(
  { client, url }: Awaited<ReturnType<typeof openClient>>,
  node: string | undefined,
  signal: AbortSignal,
) {
  if (node !== undefined && !/^https?:$/.test(URL.parse(node)?.protocol ?? ""))
    throw new UsageError("The URL of a full node begins with http:// or https://.");
  const sources = sourcesOf(await client.getService(), node);
  const baseUrl = sources.aggregator || url;
  const blob = (blobId: string) => fetchBlob(blobId, { baseUrl, signal });
  return { sources, fetchers: networkFetchers({ client, sources, blob, signal }) };
}

/** The object on the ledger of an answer that was anchored; the last one of several. */
export async function lastAnchorOf(client: Client, answerId: string): Promise<string> {
  const anchor = (await client.getReceipt({ answerId })).chain.at(-1);
  if (anchor !== undefined) return anchor.receiptId;
  throw new PortcullisError("not-found", `It is not on the ledger. portcullis anchor ${answerId} puts it there.`);
}
