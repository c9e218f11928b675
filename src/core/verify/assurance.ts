// What a proof is worth with the ledger and the blob store of a service: "anyone can check it" only where it is so.
export interface Deployment {
  readonly network: string;
  readonly blobs: "memory" | "walrus";
}

const LOCAL_LEDGER =
  "This ledger runs inside the service that made the receipt. It shows that nothing was changed since; it does not protect from the operator.";
const UNKNOWN_NETWORK =
  "The ledger is a network of Sui that is not public, so a proof is worth as much as whoever runs its nodes.";
const MOCK_BLOBS = "The service alone keeps the blobs: its operator can withhold them, and not change them unnoticed.";

export function assuranceOf(deployment: Deployment): string {
  if (isPublic(deployment))
    return "Anyone can check it, on Sui and Walrus, without trusting this service or its operator.";
  const { network, blobs } = deployment;
  const ledger =
    network === "local"
      ? LOCAL_LEDGER
      : FULL_NODES.has(network)
        ? `Anyone can check on Sui that it was anchored.`
        : UNKNOWN_NETWORK;
  return blobs === "memory" ? `${ledger} ${MOCK_BLOBS}` : ledger;
}

/** Whether anyone can check a receipt: its ledger and its blobs are kept by others, in public. */
export const isPublic = ({ network, blobs }: Deployment): boolean => FULL_NODES.has(network) && blobs === "walrus";

// Full nodes of Sui that the verifier's page asks by itself, by network. They must not be the operator's choice: a node
// that the operator runs can say anything. The Sui Foundation keeps these for everybody; other providers want a token.

export const FULL_NODES: ReadonlyMap<string, readonly string[]> = new Map([
  ["mainnet", ["https://fullnode.mainnet.sui.io"]],
  ["testnet", ["https://fullnode.testnet.sui.io"]],
  ["devnet", ["https://fullnode.devnet.sui.io"]],
]);
