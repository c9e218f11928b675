// The local ledger, opened on its first use. Loading the SDK takes a third of a second and 30 MB, which a service that
// anchors nothing should not pay for.
import { keyFileExists } from "#adapters/ledger/key-file.ts";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/sui-ledger.ts";
import type { Ledger, LedgerExplorer, PublicSigningKey, RecordStore } from "#ports.ts";
import { findLedgerKey, type KeyFiles, requireLedgerKey } from "./key-owner.ts";

type DatedKey = Pick<PublicSigningKey, "publicKey" | "createdAt" | "endedAt">;

interface Options extends Partial<KeyFiles> {
  /** Whether the ledger may be opened without its key. Then nothing can be anchored. */
  readonly isReadOnly?: boolean | undefined;
  readonly names?: SuiLedgerOptions["names"];
  readonly signingKeys?: (() => Promise<readonly DatedKey[]>) | undefined;
  readonly onKeyEnded?: SuiLedgerOptions["onKeyEnded"];
  readonly records: SuiLedgerOptions["records"] & Pick<RecordStore, "ledgerLog" | "writeOnce">;
}

/** Without `keyPath`, the key is in the records, for all processes that share them. */
export function localLedger(options: Options): { ledger: Ledger; explorer: LedgerExplorer } {
  const {
    keyPath,
    formerKeyPath,
    isReadOnly = false,
    names,
    records,
    signingKeys = async () => [],
    onKeyEnded,
  } = options;
  // A key file that others can read stops the service at its start, and not at the first anchor.
  if (keyPath !== undefined) keyFileExists(keyPath);
  const explorerUrl = (digest: string) => `/ledger/tx/${digest}`;
  let opening: ReturnType<typeof open> | undefined;

  async function open() {
    const [{ createLocalSui }, { suiLedger }] = await Promise.all([
      import("./client/local-sui.ts"),
      import("#adapters/ledger/sui/sui-ledger.ts"),
    ]);
    const signer = await findSigner();
    const client = await createLocalSui({ log: records.ledgerLog, owner: signer.toSuiAddress() });
    const { packageId, gateId, formerPackageId } = client;
    // The client runs in this process, so a call that fails now does not succeed in a minute.
    const timeouts = { sendMs: 5_000 };
    const ids = { packageId, gateId, formerPackageId };
    const ledger = suiLedger({
      ...ids,
      network: "local",
      client,
      signer,
      records,
      names,
      signingKeys,
      onKeyEnded,
      explorerUrl,
      timeouts,
      isPolicyPrivate: true,
    });
    return { client, ledger };
  }

  async function findSigner(): Promise<SuiLedgerOptions["signer"]> {
    const { loadOrCreateKeypair, sharedKeypair } = await import("./keypair.ts");
    if (keyPath === undefined)
      return sharedKeypair((secret) => records.writeOnce.putIfAbsent("local-ledger-key", secret));
    const key = await findLedgerKey({ keyPath, formerKeyPath }, records.ledgerLog);
    if (key.kind === "fits" || !isReadOnly) return loadOrCreateKeypair(requireLedgerKey(key));
    const { ReadOnlySigner } = await import("./read-only-signer.ts");
    return new ReadOnlySigner(key.owner);
  }

  /** Single-flight: all callers share one opening. One that failed is tried again by the next caller. */
  function opened(): ReturnType<typeof open> {
    opening ??= open().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  /** Whether the gate knows the policy and the keys, as far as the records tell without opening the ledger. */
  async function isTold(): Promise<boolean> {
    if ((await records.policy.version()) !== (await records.gates.latest())) return false;
    const head = await records.ledgerLog.head();
    // A ledger that was never used learns the keys with its first anchor.
    if (head === undefined) return true;
    const [last] = await records.ledgerLog.page({ after: head.sequence - 1, limit: 1 });
    return keyChanges(await signingKeys()).every((at) => at < (last?.timestampMs ?? 0));
  }

  /** The explorer, with all transactions that any process has recorded so far. */
  async function currentExplorer() {
    const { client } = await opened();
    await client.catchUp();
    return client.explorer;
  }

  return {
    ledger: {
      network: "local",
      explorerUrl,
      packageId: async () => (await opened()).ledger.packageId(),
      gate: async () => (await opened()).ledger.gate(),
      formerPackageId: async () => (await opened()).ledger.formerPackageId(),
      anchor: async (request) => (await opened()).ledger.anchor(request),
      recover: async () => (await opened()).ledger.recover(),
      async sync() {
        // A service that anchors nothing, and whose policy does not change, should not open the ledger.
        if (!isReadOnly && (opening !== undefined || !(await isTold()))) await (await opened()).ledger.sync();
      },
      // Its policy is always ours.
      policyVersion: () => undefined,
      naming: async () => (await opened()).ledger.naming(),
      keys: async () => (await opened()).ledger.keys(),
      find: async (objectId) => (await opened()).ledger.find(objectId),
      drift: async () => (await opened()).ledger.drift(),
      balance: async () => undefined,
      close: async () => (await opening?.catch(() => undefined))?.ledger.close(),
    },
    explorer: {
      readObject: async (objectId) => (await currentExplorer()).readObject(objectId),
      readTransaction: async (digest) => (await currentExplorer()).readTransaction(digest),
      recentTransactions: async (page) => (await currentExplorer()).recentTransactions(page),
    },
  };
}

/** When keys were added and ended, in milliseconds. */
const keyChanges = (keys: readonly DatedKey[]): number[] =>
  keys
    .flatMap(({ createdAt, endedAt }) => [createdAt, ...(endedAt === undefined ? [] : [endedAt])])
    .map((at) => Date.parse(at));
