// Shell commands that repeat the checks without this service. People paste them into a shell, so data from outside
// stands in single quotes only, and percent-encoded.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";

/** Base URLs of this service and of the blob store's aggregator. */
export interface Endpoints {
  readonly origin: string;
  readonly aggregator: string;
}

export interface Command {
  readonly purpose: string;
  readonly line: string;
  /** What the command must print. */
  readonly prints?: string;
}

/** `chain` and `receipt` are null if they could not be established; then fewer commands apply. */
interface VerifiedReceipt {
  readonly receiptId: string;
  readonly network: string;
  readonly chain: ChainReceipt | null;
  readonly receipt: ForeignReceipt | null;
}

export function commandsFor(verified: VerifiedReceipt, endpoints: Endpoints): Command[] {
  const { receiptId, chain, receipt } = verified;
  const [memory] = receipt?.usedMemories ?? [];
  return [
    readObject(verified, endpoints),
    ...(chain === null ? [] : [hashBlob(chain, endpoints)]),
    ...(memory === undefined
      ? []
      : [readBlob("Read a memory that was used; here the first.", memory.storeRef, endpoints)]),
    askService(receiptId, endpoints),
  ];
}

export function readObject(
  { receiptId, network }: Pick<VerifiedReceipt, "receiptId" | "network">,
  { origin }: Endpoints,
): Command {
  return { purpose: "Read the object from the ledger.", line: objectLine(network, receiptId, origin) };
}

export function hashBlob({ blobId, digest }: Pick<ChainReceipt, "blobId" | "digest">, endpoints: Endpoints): Command {
  return {
    purpose: "Fetch the receipt’s bytes and hash them.",
    line: `curl -s ${blobUrl(blobId, endpoints)} \\\n  | b2sum -l 256`,
    prints: digest,
  };
}

export function readBlob(purpose: string, blobId: string, endpoints: Endpoints): Command {
  return { purpose, line: `curl -s ${blobUrl(blobId, endpoints)}` };
}

function askService(receiptId: string, { origin }: Endpoints): Command {
  const line = `curl -s ${quoted(`${origin}/api/verify/${receiptId}`)}`;
  return { purpose: "Get everything on this page as JSON.", line };
}

const blobUrl = (blobId: string, { aggregator }: Endpoints): string =>
  quoted(`${aggregator}/v1/blobs/${encodeURIComponent(blobId)}`);

const PUBLIC_NETWORKS: ReadonlySet<string> = new Set(["mainnet", "testnet", "devnet"]);

function objectLine(network: string, receiptId: string, origin: string): string {
  if (network === "local") return `curl -s ${quoted(`${origin}/api/ledger/objects/${receiptId}`)}`;
  if (!PUBLIC_NETWORKS.has(network)) return `sui client object ${quoted(receiptId)}`;
  const query = `{ object(address: "${receiptId}") { owner { __typename } asMoveObject { contents { type { repr } json } } } }`;
  const body = quoted(JSON.stringify({ query }));
  return `curl -s https://graphql.${network}.sui.io/graphql -H 'content-type: application/json' \\\n  -d ${body}`;
}

// In a URL a quote can be written as %27, and then nothing in it can end the quotes.
const quoted = (text: string): string => `'${text.replaceAll("'", "%27")}'`;
