// The local ledger, opened on its first use. Loading the SDK takes a third of a second and 30 MB, which a service that
// anchors nothing should not pay for. It is loaded in parts: each holds up whatever else the process does.
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/sui-ledger.ts";
import { ED25519, ed25519Parts, KEY_BYTES, keyFileExists } from "#adapters/ledger/sui-keys.ts";
import type { OpenedLedger } from "#adapters/ledger/tenant-ledgers.ts";
import { unfinishedIn } from "#adapters/ledger/unfinished-work.ts";
import { orUndefined } from "#core/defined.ts";
import { configurationError } from "#core/errors.ts";
import type { Ledger, LedgerExplorer, LedgerLog, PublicSigningKey, RecordStore } from "#ports.ts";

type DatedKey = Pick<PublicSigningKey, "publicKey" | "createdAt" | "endedAt">;

export interface LocalLedgerOptions {
  readonly keyPath?: string | undefined;
  /** Whether the ledger may be opened without its key. Then nothing can be anchored. */
  readonly isReadOnly?: boolean | undefined;
  readonly names?: SuiLedgerOptions["names"];
  readonly signingKeys?: (() => Promise<readonly DatedKey[]>) | undefined;
  readonly onKeyEnded?: SuiLedgerOptions["onKeyEnded"];
  readonly others?: SuiLedgerOptions["others"];
  /** Whether tenants beside the first have gates. Then the last transaction need not be one of ours. */
  readonly isShared?: (() => Promise<boolean>) | undefined;
  readonly records: SuiLedgerOptions["records"] & Pick<RecordStore, "ledgerLog" | "writeOnce">;
}

/** Without `keyPath`, the key is in the records, for all processes that share them. */
export function localLedger(options: LocalLedgerOptions) {
  const { keyPath, isReadOnly = false, names, records, signingKeys = async () => [], onKeyEnded, others } = options;
  const { isShared = async () => false } = options;
  // A key file that others can read stops the service at its start, and not at the first anchor.
  if (keyPath !== undefined) keyFileExists(keyPath);
  const explorerUrl = (digest: string) => `/ledger/tx/${digest}`;
  let opening: ReturnType<typeof open> | undefined;

  async function open() {
    const signer = await findSigner();
    await nextTurn();
    const { createLocalSui } = await import("./local-sui.ts");
    await nextTurn();
    const { suiLedger } = await import("#adapters/ledger/sui/sui-ledger.ts");
    const client = await createLocalSui({ log: records.ledgerLog, owner: signer.toSuiAddress() });
    const { packageId, gateId } = client;
    // The client runs in this process, so a call that fails now does not succeed in a minute.
    const timeouts = { sendMs: 5_000 };
    const shared = { packageId, network: "local", client, signer, signingKeys, onKeyEnded, explorerUrl, timeouts };
    const gateLedger: OpenedLedger["gateLedger"] = (own) => suiLedger({ ...shared, ...own, isPolicyPrivate: true });
    const root = gateLedger({ gateId, records, names, others });
    return { client, packageId, rootId: gateId, root, gateLedger };
  }

  async function findSigner(): Promise<SuiLedgerOptions["signer"]> {
    const { loadOrCreateKeypair, ReadOnlySigner, sharedKeypair } = await import("./keypair.ts");
    if (keyPath === undefined)
      return sharedKeypair((secret) => records.writeOnce.putIfAbsent("local-ledger-key", secret));
    const key = await findLedgerKey(keyPath, records.ledgerLog);
    if (key.kind === "fits" || !isReadOnly) return loadOrCreateKeypair(requireLedgerKey(key));
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
  async function isGateUpToDate(): Promise<boolean> {
    if ((await records.policy.version()) !== (await records.ledgerGates.latest())) return false;
    const head = await records.ledgerLog.head();
    // A ledger that was never used learns the keys with its first anchor.
    if (head === undefined) return true;
    if (await isShared()) return false;
    const [last] = await records.ledgerLog.page({ after: head.sequence - 1, limit: 1 });
    const changes = (await signingKeys()).flatMap(({ createdAt, endedAt = createdAt }) => [createdAt, endedAt]);
    return changes.every((at) => Date.parse(at) < (last?.timestampMs ?? 0));
  }

  /** The explorer of a gate, with all transactions that any process has recorded so far. */
  async function currentExplorer(gateId?: string) {
    const { client } = await opened();
    await client.catchUp();
    return gateId === undefined ? client.explorer : client.explorerOf(gateId);
  }

  /** `gateIdOf` says whose part of the ledger it shows. Left out: that of the first gate. */
  const explorerOf = (gateIdOf: () => Promise<string | undefined> = async () => undefined): LedgerExplorer => ({
    readObject: async (objectId) => (await currentExplorer(await gateIdOf())).readObject(objectId),
    readTransaction: async (digest) => (await currentExplorer(await gateIdOf())).readTransaction(digest),
    recentTransactions: async (page) => (await currentExplorer(await gateIdOf())).recentTransactions(page),
  });

  const isUsed = async () => opening !== undefined || (await records.ledgerLog.head()) !== undefined;
  const lastCheckpoint = async (origin: string) =>
    (await isUsed()) ? (await opened()).root.lastCheckpoint(origin) : undefined;

  const ledger: Ledger = {
    network: "local",
    explorerUrl,
    packageId: async () => (await opened()).root.packageId(),
    gate: async () => (await opened()).root.gate(),
    anchor: async (request) => (await opened()).root.anchor(request),
    lastCheckpoint,
    // As `sync`: a ledger that was never used is not opened for it.
    async anchorCheckpoint(checkpoint) {
      if (isReadOnly || !(await isUsed())) return lastCheckpoint(checkpoint.origin);
      return (await opened()).root.anchorCheckpoint(checkpoint);
    },
    async anchorChain(end, before) {
      if (!isReadOnly && (await isUsed())) await (await opened()).root.anchorChain(end, before);
    },
    unfinished: () => unfinishedIn(records),
    recover: async () => (await opened()).root.recover(),
    async sync() {
      // A service that anchors nothing, and whose policy does not change, should not open the ledger.
      if (!isReadOnly && (opening !== undefined || !(await isGateUpToDate()))) await (await opened()).root.sync();
    },
    // Its policy is always ours.
    policyVersion: () => undefined,
    naming: async () => (await opened()).root.naming(),
    keys: async () => (await opened()).root.keys(),
    find: async (objectId) => (await opened()).root.find(objectId),
    // One key signs every transaction.
    policyHolder: async () => "signer",
    drift: async () => (await opened()).root.drift(),
    balance: async () => undefined,
    close: async () => (await opening?.catch(() => undefined))?.root.close(),
  };
  return { opened, ledger, explorerOf };
}

// Finds the key file that the local ledger on record belongs to. Works without the Sui SDK, because it runs at every
// start: the first transaction has the public key in its signature, and the file has the private one.

/** The file, or why there is none. `owner` is the public key that the ledger on record wants. */
type LedgerKey =
  | { readonly kind: "fits"; readonly path: string }
  | { readonly kind: "missing" | "foreign"; readonly path: string; readonly owner: Buffer };

export async function findLedgerKey(path: string, log: LedgerLog): Promise<LedgerKey> {
  const isThere = keyFileExists(path);
  const [first] = await log.page({ limit: 1 });
  const owner = ed25519Parts(first?.signatures[0] ?? "")?.publicKey;
  // A ledger without transactions takes any key, and one that is damaged is reported when it is replayed.
  if (owner === undefined || (isThere && publicKeyIn(path)?.equals(owner))) return { kind: "fits", path };
  return { kind: isThere ? "foreign" : "missing", path, owner };
}

/** Stops a start that could not continue the ledger on record. */
export function requireLedgerKey(key: LedgerKey): string {
  if (key.kind === "fits") return key.path;
  const what = key.kind === "missing" ? "is missing" : "belongs to another ledger";
  throw configurationError(
    `The key of the local ledger ${what}: ${key.path}. Restore the file that was backed up with this database. If it is lost, set LOCAL_LEDGER=read-only: receipts can then be verified, and no more can be anchored.`,
  );
}

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** Undefined for a file that is no keystore with one Ed25519 key. Nothing of its content gets into an error. */
const publicKeyIn = (path: string): Buffer | undefined =>
  orUndefined(() => {
    const [entry]: unknown[] = JSON.parse(readFileSync(path, "utf8"));
    const bytes = Buffer.from(String(entry), "base64");
    if (bytes[0] !== ED25519 || bytes.length !== 1 + KEY_BYTES) return undefined;
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, bytes.subarray(1)]), format: "der", type: "pkcs8" });
    return createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-KEY_BYTES);
  });
