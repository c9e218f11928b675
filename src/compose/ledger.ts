// The ledger that the configuration names, and the part of each tenant in it.
import * as local from "#adapters/ledger/local/local-ledger.ts";
import { refuseOtherNames } from "#adapters/ledger/sui/gate/gate-naming.ts";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/sui-ledger.ts";
import { type OpenedLedger, tenantLedgers } from "#adapters/ledger/tenant-ledgers.ts";
import type { Config } from "#config.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import { DEFAULT_TENANT, type TenantRef } from "#core/identity/tenant.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import type { DeploymentRecords, Ledger, LedgerExplorer, RecordStore } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";

export type LedgerEvents = Pick<SuiLedgerOptions, "onDrift" | "onMove">;

type LedgerRecords = RecordStore & Pick<DeploymentRecords, "recordsOf" | "ledgerWork">;

/** Opens once what all tenants share: the node, the key that signs, the local chain. */
export async function ledgersOf(config: Config["ledger"], deployment: LedgerRecords, events: LedgerEvents = {}) {
  const openFirst: OpenFirst =
    config.kind === "local" ? (own) => local.localLedger({ ...config, ...own }) : await firstOnSui(config, events);
  let first: First | undefined;
  function firstOf(records: RecordStore = deployment): First {
    const onKeyEnded = (publicKey: Uint8Array, endedAt: Date) =>
      records.signingKeys.end(keyIdOf(publicKey), endedAt.toISOString());
    const own = { records, signingKeys: records.signingKeys.list, onKeyEnded };
    first ??= openFirst({ ...own, others: tenants.othersOf(DEFAULT_TENANT.number), isShared: tenants.hasGates });
    return first;
  }

  const tenants = tenantLedgers({
    root: () => firstOf().ledger,
    open: () => firstOf().opened(),
    deployment,
    names: config.names,
    isReadOnly: config.kind === "local" && config.isReadOnly,
  });
  /** The ledger of one tenant, which works on these records of it. That of the tenant `default` does the jobs of all. */
  const of = (tenant: TenantRef, records: RecordStore): Ledger =>
    tenant.number === DEFAULT_TENANT.number ? tenants.withOthers(firstOf(records).ledger) : tenants.of(tenant, records);

  return {
    of,
    /** Its part of the local ledger. Undefined when the ledger is Sui: any full node can be asked. */
    explorerOf(tenant: TenantRef, records: RecordStore): LedgerExplorer | undefined {
      if (tenant.number === DEFAULT_TENANT.number) return firstOf(records).explorerOf?.();
      return firstOf().explorerOf?.(async () => (await of(tenant, records).gate()).gateId);
    },
  };
}

/** What the tenant `default` has, and the others build on. */
interface First {
  readonly ledger: Ledger;
  opened(): Promise<OpenedLedger>;
  explorerOf?(gateIdOf?: () => Promise<string>): LedgerExplorer;
}

type OpenFirst = (own: Omit<local.LocalLedgerOptions, "keyPath" | "isReadOnly" | "names">) => First;

async function firstOnSui(
  config: Extract<Config["ledger"], { kind: "sui" }>,
  events: LedgerEvents,
): Promise<OpenFirst> {
  const { network, url, packageId, gateId, names } = config;
  // Loaded on demand: the SDK takes time and memory, and most services use the local ledger.
  const [{ suiClient }, { suiLedger }, { loadKeypair }] = await Promise.all([
    import("#verification/sui-node.ts"),
    import("#adapters/ledger/sui/sui-ledger.ts"),
    import("#adapters/ledger/sui/keystore.ts"),
  ]);
  const signer = loadKeypair(config);
  const { core } = suiClient(network, url);
  const explorerUrl = (digest: string) => `https://suiscan.xyz/${network}/tx/${digest}`;
  // Without the path, which may hold a token.
  const ids = { network, packageId, node: new URL(url).host };
  return ({ signingKeys, onKeyEnded, records, others }) => {
    const shared = { ...ids, client: core, signer, explorerUrl, signingKeys, onKeyEnded, ...events };
    const root = suiLedger({ ...shared, gateId, names, records, others });
    const gateLedger: OpenedLedger["gateLedger"] = (own) => suiLedger({ ...shared, ...own });
    return { ledger: root, opened: async () => ({ packageId, rootId: gateId, root, gateLedger }) };
  };
}

/** A database that was restored without the key of its ledger is refused now, and not at the first anchor. */
export async function refuseLedgerWithoutKey(ledger: Config["ledger"], { ledgerLog }: RecordStore): Promise<void> {
  if (ledger.kind !== "local" || ledger.keyPath === undefined || ledger.isReadOnly) return;
  local.requireLedgerKey(await local.findLedgerKey(ledger.keyPath, ledgerLog));
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
