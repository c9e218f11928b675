// Full nodes of Sui that the verifier's page asks by itself, by network. They must not be the operator's choice: a node
// that the operator runs can say anything. The Sui Foundation keeps these for everybody; other providers want a token.

export const FULL_NODES: ReadonlyMap<string, readonly string[]> = new Map([
  ["mainnet", ["https://fullnode.mainnet.sui.io"]],
  ["testnet", ["https://fullnode.testnet.sui.io"]],
  ["devnet", ["https://fullnode.devnet.sui.io"]],
]);
