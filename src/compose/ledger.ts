// The ledger that the configuration names, and the part of each tenant in it.
import { findLedgerKey, localLedger, requireLedgerKey } from "#adapters/ledger/local/local-ledger.ts";
import { refuseOtherNames } from "#adapters/ledger/sui/gate/gate-naming.ts";
import type { Config } from "#config.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import type { DeploymentRecords, Ledger, LedgerExplorer, RecordStore, TenantRecord } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";

interface LedgerEvents {
  readonly onDrift?: ((rules: number) => void) | undefined;
  readonly onMove?: ((past: number) => void) | undefined;
}

interface Ledgers {
  /** The ledger of one tenant, which works on these records of it. */
  of(tenant: Pick<TenantRecord, "number" | "id">, records: RecordStore): Ledger;
  /** Present when the ledger is the local one. */
  readonly explorer?: LedgerExplorer;
}

/** Those of a deployment; or of the tenant `default` alone, which has no others beside it then. */
type LedgerRecords = RecordStore & Partial<Pick<DeploymentRecords, "recordsOf">>;

/** Opens once what all tenants share: the node, the key that signs, the local chain. */
export async function ledgersOf(
  config: Config["ledger"],
  deployment: LedgerRecords,
  events: LedgerEvents = {},
): Promise<Ledgers> {
  const signingKeys = deployment.signingKeys.list;
  const onKeyEnded = (publicKey: Uint8Array, endedAt: Date) =>
    deployment.signingKeys.end(keyIdOf(publicKey), endedAt.toISOString());
  if (config.kind === "local") {
    const { ledger, explorer } = localLedger({ ...config, records: deployment, signingKeys, onKeyEnded });
    return { of: onlyDefault(() => ledger), explorer };
  }
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
  const shared = { ...ids, names, client: core, signer, signingKeys, explorerUrl, onKeyEnded, ...events };
  return { of: onlyDefault((records) => suiLedger({ ...shared, records })) };
}

/** Other tenants read the ledger, and cannot anchor there. */
function onlyDefault(open: (records: RecordStore) => Ledger): Ledgers["of"] {
  let first: Ledger | undefined;
  return ({ number }, records) => {
    if (number !== DEFAULT_TENANT.number && first !== undefined) return withoutGate(first);
    first = open(records);
    return first;
  };
}

const withoutGate = (ledger: Ledger): Ledger => ({
  ...ledger,
  async anchor() {
    throw new PortcullisError("ledger-refused", "This tenant has no gate on the ledger.");
  },
  recover: async () => 0,
  sync: async () => undefined,
  policyVersion: () => undefined,
  drift: async () => ({ rules: 0, isOursToMend: true }),
  close: async () => undefined,
});

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
