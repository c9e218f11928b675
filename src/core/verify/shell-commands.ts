// Shell commands that repeat the checks. People paste them, so data stands in single quotes only, and percent-encoded.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { FULL_NODES } from "./assurance.ts";

export interface Endpoints {
  readonly origin: string;
  readonly aggregator: string;
}

export interface Command {
  readonly purpose: string;
  readonly line: string;
  readonly prints?: string;
}

/** `chain` and `receipt` are null if they could not be established; then fewer commands apply. */
export interface VerifiedReceipt {
  /** In full length. */
  readonly receiptId: string;
  readonly network: string;
  readonly chain: ChainReceipt | null;
  readonly receipt: ForeignReceipt | null;
}

export function commandsFor(verified: VerifiedReceipt, endpoints: Endpoints): Command[] {
  const { receiptId, chain, receipt } = verified;
  const memories = receipt?.usedMemories.slice(0, 1) ?? [];
  return [
    readObject(verified, endpoints),
    ...(chain === null ? [] : [hashBlob(chain, endpoints)]),
    ...memories.map(({ storeRef }) => readBlob("Read a memory that was used; here the first.", storeRef, endpoints)),
    { purpose: "Get everything on this page as JSON.", line: curl(`${endpoints.origin}/api/verify/${receiptId}`) },
  ];
}

export function readObject(
  { receiptId, network }: Pick<VerifiedReceipt, "receiptId" | "network">,
  { origin }: Endpoints,
): Command {
  const purpose = "Read the object from the ledger.";
  if (network === "local") return { purpose, line: curl(`${origin}/api/ledger/objects/${receiptId}`) };
  if (!FULL_NODES.has(network)) return { purpose, line: `sui client object ${quoted(receiptId)}` };
  const query = `{ object(address: "${receiptId}") { owner { __typename } asMoveObject { contents { type { repr } json } } } }`;
  const body = quoted(JSON.stringify({ query }));
  const url = `https://graphql.${network}.sui.io/graphql`;
  return { purpose, line: `curl -s ${url} -H 'content-type: application/json' \\\n  -d ${body}` };
}

export function hashBlob({ blobId, digest }: Pick<ChainReceipt, "blobId" | "digest">, endpoints: Endpoints): Command {
  const { purpose, line } = readBlob("Fetch the receipt’s bytes and hash them.", blobId, endpoints);
  return { purpose, line: `${line} \\\n  | b2sum -l 256`, prints: digest };
}

export function readBlob(purpose: string, blobId: string, { aggregator }: Endpoints): Command {
  return { purpose, line: curl(`${aggregator}/v1/blobs/${encodeURIComponent(blobId)}`) };
}

const curl = (url: string): string => `curl -s ${quoted(url)}`;

// In a URL a quote can be written as %27, and then nothing in it can end the quotes.
const quoted = (text: string): string => `'${text.replaceAll("'", "%27")}'`;
