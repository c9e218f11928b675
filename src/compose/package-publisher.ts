// Publishes the Move package on a network of Sui, for the command that does it.
import { readFileSync } from "node:fs";
import { loadKeypair } from "#adapters/ledger/sui/keystore.ts";
import { estimatePublish, type PublishOptions, publish } from "#adapters/ledger/sui/publish-package.ts";
import type { SuiNetwork } from "#environment.ts";
import { suiClient } from "#verification/sui-node.ts";

type Key = Parameters<typeof loadKeypair>[0];

export { inSui } from "#adapters/ledger/sui/commit/payment.ts";
export type { Published } from "#adapters/ledger/sui/publish-package.ts";

/** `node` is the full node's gRPC URL. */
export function packagePublisher({ network, node, ...key }: Key & { network: SuiNetwork; node: string }) {
  const signer = loadKeypair(key);
  const { core: client } = suiClient(network, node);
  const bytecode = JSON.parse(readFileSync(new URL("../../move/build/gate.json", import.meta.url), "utf8"));
  const what = { client, signer, bytecode };
  return {
    address: signer.toSuiAddress(),
    estimate: (options: Pick<PublishOptions, "upgradeable">) => estimatePublish({ ...what, ...options }),
    publish: (options: Omit<PublishOptions, keyof typeof what>) => publish({ ...what, ...options }),
  };
}
