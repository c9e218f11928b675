// A chain for tests: the local ledger with its log in memory, and a key that holds both capabilities.
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import type { ChainUnderTest } from "#test/suites/ledger-fixture.ts";
import { memoryLog } from "./memory-log.ts";
import { type SuiNodeStandIn, startSuiNodeStandIn } from "./sui-node-stand-in/sui-node-stand-in.ts";

/** `events` are read in this process, so faults of the stand-in do not affect them. */
export type LocalChain = ChainUnderTest & { events(name: string): readonly object[] };

export type GrpcChain = LocalChain & { readonly node: SuiNodeStandIn };

/** The same chain behind a stand-in for a full node. Its client is the SDK's SuiGrpcClient, over loopback. */
export async function startGrpcChain(): Promise<GrpcChain> {
  const chain = await startLocalChain();
  const node = await startSuiNodeStandIn(chain.client);
  const { core } = new SuiGrpcClient({ network: "localnet", baseUrl: node.baseUrl });
  return { ...chain, client: core, node, stop: () => node.close() };
}

export async function startLocalChain({ clock = Date.now } = {}): Promise<LocalChain> {
  const signer = Ed25519Keypair.generate();
  const log = memoryLog();
  const client = await createLocalSui({ log, owner: signer.toSuiAddress(), clock });
  return {
    client,
    signer,
    packageId: client.packageId,
    gateId: client.gateId,
    executed: async () => log.entries.length,
    events: (name) => eventsNamed(client, name),
    stop: async () => undefined,
  };
}

/** All events of this name, newest transaction first. */
export function eventsNamed({ explorer }: LocalSui, name: string): readonly object[] {
  const { transactions } = explorer.recentTransactions({ limit: 1_000 });
  const events = transactions.flatMap(({ digest }) => explorer.readTransaction(digest)?.events ?? []);
  return events.filter((event) => event.name === name);
}
