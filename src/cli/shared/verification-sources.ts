// Whom this machine asks when it verifies a receipt: the service for what it alone knows, full nodes, and the blob store.
import { UsageError } from "#cli/invocation.ts";
import { PortcullisError } from "#core/errors.ts";
import { fetchBlob } from "#verification/fetch-blob.ts";
import { networkFetchers } from "#verification/network-fetchers.ts";
import type { Fetchers } from "#verification/observe.ts";
import { type Sources, sourcesOf } from "#verification/sources.ts";
import type { OpenedClient } from "./service-client.ts";

export interface Asking {
  readonly sources: Sources;
  readonly fetchers: Fetchers;
}

export async function askingFrom(
  service: OpenedClient,
  node: string | undefined,
  signal: AbortSignal,
): Promise<Asking> {
  if (node !== undefined && !/^https?:$/.test(URL.parse(node)?.protocol ?? ""))
    throw new UsageError("The URL of a full node begins with http:// or https://.");
  const { client, url, call } = service;
  const sources = sourcesOf(await client.getService(call()), node);
  const baseUrl = sources.aggregator || url;
  const blob = (blobId: string) => fetchBlob(blobId, { baseUrl, signal });
  return { sources, fetchers: networkFetchers({ client, sources, blob, signal }) };
}

/** The object on the ledger of an answer that was anchored; the last one of several. */
export async function lastAnchorOf({ client, call }: OpenedClient, answerId: string) {
  const entry = await client.getReceipt({ answerId }, call());
  const anchor = entry.chain.at(-1);
  if (anchor !== undefined) return { entry, anchor };
  throw new PortcullisError("not-found", `It is not on the ledger. portcullis anchor ${answerId} puts it there.`);
}
