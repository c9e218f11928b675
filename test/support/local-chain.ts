// A chain for tests: the local ledger with its history in memory, and a key that holds both capabilities.
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { memoryLog } from "#adapters/ledger/local/chain/memory-log.ts";
import { createLocalSui } from "#adapters/ledger/local/index.ts";
import type { ChainUnderTest } from "#test/suites/ledger.ts";
import { createGrpcFace, type GrpcFace } from "./grpc-face/index.ts";

/** `events` are asked for in process, so that nothing between can spoil them. */
export type LocalChain = ChainUnderTest & { events(type: string): Promise<readonly object[]> };

export type GrpcChain = LocalChain & { readonly face: GrpcFace };

/** The same behind a full node's face: the SDK's SuiGrpcClient speaks to it over loopback. */
export async function startGrpcChain(): Promise<GrpcChain> {
  const chain = await startLocalChain();
  const face = await createGrpcFace(chain.client);
  const { core } = new SuiGrpcClient({ network: "localnet", baseUrl: face.baseUrl });
  return { ...chain, client: core, face, stop: () => face.close() };
}

export async function startLocalChain({ finalityMs = 0 } = {}): Promise<LocalChain> {
  const signer = Ed25519Keypair.generate();
  const log = memoryLog();
  const client = await createLocalSui({ log, owner: signer.toSuiAddress(), finalityMs });
  return {
    client,
    signer,
    packageId: client.packageId,
    gateId: client.gateId,
    executed: async () => log.entries.length,
    events: async (eventType) => (await client.listEvents({ filter: { eventType }, limit: 1_000 })).events,
    stop: async () => undefined,
  };
}
