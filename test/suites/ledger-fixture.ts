// A chain for the suites of the ledger adapter, and the adapter over it.
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import { type SuiLedgerOptions, suiLedger } from "#adapters/ledger/sui/sui-ledger.ts";
import type { ChainAnchorRequest, Ledger, RecordStore } from "#ports.ts";

export interface ChainUnderTest {
  readonly client: CoreClient;
  readonly signer: Signer;
  readonly packageId: string;
  readonly gateId: string;
  /** How many transactions the chain has executed. */
  executed(): Promise<number>;
  stop(): Promise<void>;
}

export function ledgerOver(
  chain: Omit<ChainUnderTest, "executed" | "stop">,
  records: RecordStore,
  options: Partial<SuiLedgerOptions> = {},
): Ledger {
  const { client, signer, packageId, gateId } = chain;
  return suiLedger({
    client,
    signer,
    packageId,
    gateId,
    records,
    network: "local",
    explorerUrl: (digest) => `/ledger/tx/${digest}`,
    timeouts: { pauseMs: 5 },
    ...options,
  });
}

export function request(fields: Partial<ChainAnchorRequest> = {}): ChainAnchorRequest {
  const standard = { agentId: "a", blobId: "blob", digest: "ab".repeat(32), claimed: ["diet"] };
  return { ...standard, policyVersion: "newest", ...fields };
}
