// Configuration to a working service. The only file that imports adapters; tests replace parts through `overrides`.
import { memoryBlobs } from "./adapters/blobs/memory.ts";
import { createLocalSui, loadOrCreateKeypair } from "./adapters/ledger/local/index.ts";
import { suiLedger } from "./adapters/ledger/sui/index.ts";
import { loadKeypair } from "./adapters/ledger/sui/keystore.ts";
import { extractiveModel } from "./adapters/model/extractive.ts";
import { sqliteRecords } from "./adapters/records/sqlite/index.ts";
import type { Config } from "./config.ts";
import type { RecordStore } from "./ports.ts";
import type { Deps } from "./service/deps.ts";
import { createGatekeeper } from "./service/gatekeeper.ts";
import { newId } from "./service/ids.ts";
import { refill } from "./service/refill.ts";
import { seedWhenNew } from "./service/reset.ts";

type Parts = Pick<Config, "records" | "blobs" | "model" | "ledger" | "recallLimit">;

export interface Overrides extends Partial<Deps> {
  /** Told when the policy on the chain is another's to change and differs from ours. */
  readonly onDrift?: (leaves: number) => void;
}

/** Ready to serve: records open, blobs there, seeded when new, the index built. */
export async function compose(config: Parts, { onDrift, ...overrides }: Overrides = {}): Promise<Deps> {
  const records = overrides.records ?? sqliteRecords(config.records);
  const deps: Deps = {
    records,
    blobs: memoryBlobs(),
    model: extractiveModel(),
    gatekeeper: createGatekeeper({ records, limit: config.recallLimit }),
    now: () => new Date(),
    newId,
    ...(await ledgerOf(config.ledger, records, onDrift)),
    ...overrides,
  };
  if (config.blobs.kind === "memory") await refill(deps);
  await seedWhenNew(deps);
  await deps.gatekeeper.catchUp();
  return deps;
}

async function ledgerOf(
  config: Config["ledger"],
  records: RecordStore,
  onDrift: (leaves: number) => void = () => undefined,
): Promise<Pick<Deps, "ledger" | "book">> {
  if (config.kind === "local") {
    const signer = loadOrCreateKeypair(config.keyPath);
    const log = { append: records.appendLedgerTransaction, page: records.ledgerTransactions };
    const client = await createLocalSui({ log, owner: signer.toSuiAddress() });
    const { packageId, gateId } = client;
    const explorerUrl = (digest: string) => `/ledger/tx/${digest}`;
    return {
      ledger: suiLedger({ network: "local", client, signer, packageId, gateId, records, explorerUrl }),
      book: client,
    };
  }
  const { network, url, packageId, gateId } = config;
  const signer = loadKeypair(config);
  // Only who anchors on Sui pays for loading its transport.
  const { SuiGrpcClient } = await import("@mysten/sui/grpc");
  const { core } = new SuiGrpcClient({ network, baseUrl: url });
  const explorerUrl = (digest: string) => `https://suiscan.xyz/${network}/tx/${digest}`;
  return { ledger: suiLedger({ network, client: core, signer, packageId, gateId, records, explorerUrl, onDrift }) };
}
