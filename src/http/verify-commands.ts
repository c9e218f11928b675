// What to type to see the same without us. People will paste this into a shell, so nothing from outside may end up
// there but inside single quotes and percent-encoded.
import type { Verification } from "../service/verify.ts";

export interface Places {
  /** Of this service. */
  readonly origin: string;
  readonly aggregator: string;
}

interface Command {
  readonly purpose: string;
  readonly line: string;
  /** What it must print. */
  readonly prints?: string;
}

export function commandsFor({ receiptId, network, chain, receipt }: Verification, places: Places): Command[] {
  const { origin, aggregator } = places;
  const blob = (id: string) => quoted(`${aggregator}/v1/blobs/${encodeURIComponent(id)}`);
  const [memory] = receipt?.usedMemories ?? [];
  return [
    { purpose: "Read the object from the ledger.", line: objectCommand(network, receiptId, origin) },
    ...(chain === null
      ? []
      : [
          {
            purpose: "Fetch the receipt’s bytes and hash them.",
            line: `curl -s ${blob(chain.blobId)} \\\n  | b2sum -l 256`,
            prints: chain.digest,
          },
        ]),
    ...(memory === undefined
      ? []
      : [{ purpose: "Read a memory that was used; here the first.", line: `curl -s ${blob(memory.storeRef)}` }]),
    { purpose: "Get all that this page says as JSON.", line: `curl -s ${quoted(`${origin}/api/verify/${receiptId}`)}` },
  ];
}

const PUBLIC_NETWORKS: ReadonlySet<string> = new Set(["mainnet", "testnet", "devnet"]);

function objectCommand(network: string, receiptId: string, origin: string): string {
  if (network === "local") return `curl -s ${quoted(`${origin}/api/ledger/objects/${receiptId}`)}`;
  if (!PUBLIC_NETWORKS.has(network)) return `sui client object ${quoted(receiptId)}`;
  const query = `{ object(address: "${receiptId}") { owner { __typename } asMoveObject { contents { type { repr } json } } } }`;
  const body = quoted(JSON.stringify({ query }));
  return `curl -s https://graphql.${network}.sui.io/graphql -H 'content-type: application/json' \\\n  -d ${body}`;
}

// In a URL `'` can be written as %27, and then nothing in it can end the quotes.
const quoted = (text: string): string => `'${text.replaceAll("'", "%27")}'`;
