// The local ledger, opened when it is first asked for something. Signing and the SDK take a third of a second and 30 MB
// to load, which whoever anchors nothing should not pay for.

import { refuseWhatOthersCanRead } from "#adapters/ledger/key-file.ts";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/index.ts";
import type { Ledger, LedgerBook, RecordStore } from "#ports.ts";

interface Options {
  /** The file that the key is kept in; without one, it is kept in the records, for all who share them. */
  readonly keyPath?: string | undefined;
  readonly records: SuiLedgerOptions["records"] & Pick<RecordStore, "ledgerLog" | "writeOnce">;
}

export function localLedger({ keyPath, records }: Options): { ledger: Ledger; book: LedgerBook } {
  // What would stop the opening later should stop the start now.
  if (keyPath !== undefined) refuseWhatOthersCanRead(keyPath);
  const explorerUrl = (digest: string) => `/ledger/tx/${digest}`;
  let opening: ReturnType<typeof open> | undefined;

  async function open() {
    const [{ createLocalSui, keptKeypair, loadOrCreateKeypair }, { suiLedger }] = await Promise.all([
      import("./index.ts"),
      import("#adapters/ledger/sui/index.ts"),
    ]);
    const keep = (secret: Uint8Array) => records.writeOnce.putIfAbsent("local-ledger-key", secret);
    const signer = keyPath === undefined ? await keptKeypair(keep) : loadOrCreateKeypair(keyPath);
    const client = await createLocalSui({ log: records.ledgerLog, owner: signer.toSuiAddress() });
    const { packageId, gateId } = client;
    // What does not answer in this process at once will not answer later either.
    const patience = { totalMs: 5_000 };
    const ledger = suiLedger({ network: "local", client, signer, packageId, gateId, records, explorerUrl, patience });
    return { client, ledger };
  }

  /** One opening for all; one that failed may be tried again. */
  function opened(): ReturnType<typeof open> {
    opening ??= open().catch((error) => {
      opening = undefined;
      throw error;
    });
    return opening;
  }

  /** The ledger with all that is on record, whichever process put it there. */
  async function current() {
    const { client } = await opened();
    await client.catchUp();
    return client;
  }

  return {
    ledger: {
      network: "local",
      explorerUrl,
      packageId: async () => (await opened()).ledger.packageId(),
      anchor: async (request) => (await opened()).ledger.anchor(request),
      recover: async () => (await opened()).ledger.recover(),
      find: async (objectId) => (await opened()).ledger.find(objectId),
      drift: async () => (await opened()).ledger.drift(),
      close: async () => (await opening?.catch(() => undefined))?.ledger.close(),
    },
    book: {
      readObject: async (objectId) => (await current()).readObject(objectId),
      readTransaction: async (digest) => (await current()).readTransaction(digest),
      recentTransactions: async (page) => (await current()).recentTransactions(page),
    },
  };
}
