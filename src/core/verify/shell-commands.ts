// What to type to see the same without us. People will paste this into a shell, so nothing from outside may end up
// there but inside single quotes and percent-encoded.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";

export interface Places {
  /** Of this service. */
  readonly origin: string;
  readonly aggregator: string;
}

export interface Command {
  readonly purpose: string;
  readonly line: string;
  /** What it must print. */
  readonly prints?: string;
}

/** What is known of a receipt: the more it is, the more can be repeated. */
interface Known {
  readonly receiptId: string;
  readonly network: string;
  readonly chain: ChainReceipt | null;
  readonly receipt: ForeignReceipt | null;
}

export function commandsFor(known: Known, places: Places): Command[] {
  const { receiptId, chain, receipt } = known;
  const [memory] = receipt?.usedMemories ?? [];
  return [
    readObject(known, places),
    ...(chain === null ? [] : [hashBlob(chain, places)]),
    ...(memory === undefined
      ? []
      : [readBlob("Read a memory that was used; here the first.", memory.storeRef, places)]),
    askService(receiptId, places),
  ];
}

export function readObject({ receiptId, network }: Pick<Known, "receiptId" | "network">, { origin }: Places): Command {
  return { purpose: "Read the object from the ledger.", line: objectLine(network, receiptId, origin) };
}

export function hashBlob({ blobId, digest }: Pick<ChainReceipt, "blobId" | "digest">, places: Places): Command {
  return {
    purpose: "Fetch the receipt’s bytes and hash them.",
    line: `curl -s ${blobUrl(blobId, places)} \\\n  | b2sum -l 256`,
    prints: digest,
  };
}

export function readBlob(purpose: string, blobId: string, places: Places): Command {
  return { purpose, line: `curl -s ${blobUrl(blobId, places)}` };
}

function askService(receiptId: string, { origin }: Places): Command {
  const line = `curl -s ${quoted(`${origin}/api/verify/${receiptId}`)}`;
  return { purpose: "Get all that this page says as JSON.", line };
}

const blobUrl = (blobId: string, { aggregator }: Places): string =>
  quoted(`${aggregator}/v1/blobs/${encodeURIComponent(blobId)}`);

const PUBLIC_NETWORKS: ReadonlySet<string> = new Set(["mainnet", "testnet", "devnet"]);

function objectLine(network: string, receiptId: string, origin: string): string {
  if (network === "local") return `curl -s ${quoted(`${origin}/api/ledger/objects/${receiptId}`)}`;
  if (!PUBLIC_NETWORKS.has(network)) return `sui client object ${quoted(receiptId)}`;
  const query = `{ object(address: "${receiptId}") { owner { __typename } asMoveObject { contents { type { repr } json } } } }`;
  const body = quoted(JSON.stringify({ query }));
  return `curl -s https://graphql.${network}.sui.io/graphql -H 'content-type: application/json' \\\n  -d ${body}`;
}

// In a URL `'` can be written as %27, and then nothing in it can end the quotes.
const quoted = (text: string): string => `'${text.replaceAll("'", "%27")}'`;
