// The ledger that the configuration names.
import { findLedgerKey, localLedger, requireLedgerKey } from "#adapters/ledger/local/local-ledger.ts";
import { refuseOtherNames } from "#adapters/ledger/sui/gate/gate-naming.ts";
import type { Config } from "#config.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import type { RecordStore } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";

export interface LedgerParts {
  readonly onDrift?: ((rules: number) => void) | undefined;
  readonly onMove?: ((past: number) => void) | undefined;
}

export async function ledgerOf(
  config: Config["ledger"],
  records: RecordStore,
  { onDrift, onMove }: LedgerParts = {},
): Promise<Pick<Tenant, "ledger" | "explorer">> {
  const signingKeys = records.signingKeys.list;
  const onKeyEnded = (publicKey: Uint8Array, endedAt: Date) =>
    records.signingKeys.end(keyIdOf(publicKey), endedAt.toISOString());
  if (config.kind === "local") return localLedger({ ...config, records, signingKeys, onKeyEnded });
  const { network, url, packageId, gateId, names } = config;
  // Loaded on demand: the SDK takes time and memory, and most services use the local ledger.
  const [{ SuiGrpcClient }, { suiLedger }, { loadKeypair }] = await Promise.all([
    import("@mysten/sui/grpc"),
    import("#adapters/ledger/sui/sui-ledger.ts"),
    import("#adapters/ledger/sui/keystore.ts"),
  ]);
  const signer = loadKeypair(config);
  const { core } = new SuiGrpcClient({ network, baseUrl: url });
  const explorerUrl = (digest: string) => `https://suiscan.xyz/${network}/tx/${digest}`;
  // Without the path, which may hold a token.
  const ids = { network, packageId, gateId, node: new URL(url).host };
  const events = { onKeyEnded, onDrift, onMove };
  return { ledger: suiLedger({ ...ids, names, client: core, signer, records, signingKeys, explorerUrl, ...events }) };
}

/** A database that was restored without the key of its ledger is refused now, and not at the first anchor. */
export async function refuseLedgerWithoutKey(ledger: Config["ledger"], { ledgerLog }: RecordStore): Promise<void> {
  if (ledger.kind !== "local" || ledger.keyPath === undefined || ledger.isReadOnly) return;
  requireLedgerKey(await findLedgerKey(ledger.keyPath, ledgerLog));
}

/** Names of a gate are for ever. Another setting is refused now, as far as the records tell, and not at the first anchor. */
export async function refuseOtherLedgerNames(
  config: Config["ledger"],
  { ledger, records }: Pick<Tenant, "ledger" | "records">,
): Promise<void> {
  if (config.names === undefined) return;
  const { names: wanted } = config;
  // A local ledger that was never used has no gate yet.
  const isUsed = config.kind === "local" && (await records.ledgerLog.head()) !== undefined;
  const refuse = async () => {
    if (isUsed) await ledger.naming();
    if (config.kind === "sui") await refuseOtherNames({ gateId: config.gateId, values: records.writeOnce, wanted });
  };
  await refuse().catch((error) => {
    throw error instanceof PortcullisError ? configurationError(error.message, error) : error;
  });
}
