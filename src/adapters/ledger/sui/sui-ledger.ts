// The ledger on Sui, or on any client that speaks the protocol of a full node. One transaction is in flight at a time:
// the capabilities and coins that it uses have versions. anchor-queue.ts collects requests, and commit-batch.ts sends
// them.
import type { CoreClient } from "@mysten/sui/client";
import type { Signer } from "@mysten/sui/cryptography";
import type { GateIds } from "#adapters/ledger/gate-module.ts";
import { unfinishedIn } from "#adapters/ledger/unfinished-work.ts";
import { withDeadline } from "#async/with-deadline.ts";
import type { Ledger, PendingChainAnchor, RecordStore } from "#ports.ts";
import { createChainReader } from "./chain-reader.ts";
import { type AnchorQueueTimeouts, createAnchorQueue, createAnchorWaiters } from "./commit/anchor-queue.ts";
import { batchCommitter } from "./commit/commit-batch.ts";
import type { OtherTenants } from "./commit/commit-plan.ts";
import { inSui } from "./commit/payment.ts";
import { notOnLedgerError, type SendTimeouts } from "./commit/send-transaction.ts";
import { createGateNaming, type Names, namingToBe } from "./gate/gate-naming.ts";
import { createGateSync, type GateSyncOptions } from "./gate/gate-sync.ts";
import { isOurs } from "./gate/unsent-changes.ts";

type Timeouts = SendTimeouts & AnchorQueueTimeouts;

export interface SuiLedgerOptions extends GateIds {
  readonly network: string;
  readonly client: CoreClient;
  readonly signer: Signer;
  readonly records: Pick<RecordStore, "blobTexts" | "chainAnchors" | "ledgerGates" | "locks" | "policy" | "writeOnce">;
  /** Whether names must be plain, or pseudonyms. Left out: what the gate says. */
  readonly names?: Names | undefined;
  /** The keys that sign receipts. Without it, the gate is told of none. */
  readonly signingKeys?: GateSyncOptions["signingKeys"] | undefined;
  readonly onKeyEnded?: GateSyncOptions["onKeyEnded"];
  /** Changes of the policy then travel apart from anchors, in transactions whose digests tell nothing of them. */
  readonly isPolicyPrivate?: boolean;
  /** Present for a gate below a root: what its id was derived from. The gate is made for the first anchor. */
  readonly gateKey?: Uint8Array | undefined;
  /** Left out: there are none. */
  readonly others?: OtherTenants | undefined;
  readonly now?: () => Date;
  readonly timeouts?: Partial<Timeouts>;
  readonly node?: string;
  readonly explorerUrl: (txDigest: string) => string;
  /** Called when the policy on the chain differs from ours and is somebody else's to change. */
  readonly onDrift?: ((rules: number) => void) | undefined;
  /** Called when the database was behind its gate, and the policy has moved past the gate's version. */
  readonly onMove?: ((past: number) => void) | undefined;
}

const TIMEOUTS: Timeouts = {
  executeMs: 15_000,
  readMs: 15_000,
  sendMs: 60_000,
  pauseMs: 500,
  retryMs: 30_000,
  waitMs: 150_000,
  pollMs: 100,
};

/** In MIST: 0.5 SUI, about a hundred anchors. */
const LOW_BALANCE = 500_000_000n;

export interface GateLedger extends Ledger {
  /** Finishes our open transaction, if there is one. The caller has the lock of anchoring. */
  finishOpen(): Promise<void>;
}

export function suiLedger(options: SuiLedgerOptions): GateLedger {
  const { client, signer, records, packageId, gateId, network, explorerUrl } = options;
  const { now = () => new Date(), onDrift = () => undefined, onMove = () => undefined } = options;
  const { signingKeys = async () => [], isPolicyPrivate = false } = options;
  const ids = { packageId, gateId, rootId: options.rootId };
  const { gateKey, others } = options;
  const timeouts = { ...TIMEOUTS, ...options.timeouts };
  const chain = createChainReader(client, ids, signer.toSuiAddress(), timeouts.readMs, options.node);
  const parts = { client, signer, records, ids, chain, timeouts, now, isPolicyPrivate, gateKey, others };
  const sync = createGateSync({ ...parts, signingKeys, onKeyEnded: options.onKeyEnded, onMove });
  const readNaming = createGateNaming({ gateId, values: records.writeOnce, wanted: options.names });
  const waiters = createAnchorWaiters();
  const committer = batchCommitter({ ...parts, sync, readNaming, waiters, onDrift });
  const { commitBatch, hasGate, finishOpen, anchorCheckpoint } = committer;
  const queue = createAnchorQueue({ records, waiters, commitBatch, timeouts });

  /** Answers now, in whichever process: the records say which versions will never be on the gate. */
  async function refuseUnknownVersion({ id, policyVersion }: PendingChainAnchor): Promise<void> {
    if (policyVersion === "newest" || isOurs(policyVersion, await records.ledgerGates.find(gateId))) return;
    await records.chainAnchors.drop(id);
    throw notOnLedgerError();
  }

  return {
    network,
    packageId: async () => packageId,
    gate: async () => ({ gateId, signer: signer.toSuiAddress() }),
    explorerUrl,

    async anchor(request) {
      await refuseUnknownVersion(request);
      return queue.wait(request.id);
    },

    async anchorCheckpoint(checkpoint) {
      await records.locks.exclusively("anchoring", () => anchorCheckpoint(checkpoint));
      return chain.lastCheckpoint(checkpoint.origin);
    },
    lastCheckpoint: chain.lastCheckpoint,
    async anchorChain(end, before) {
      if (!(await hasGate())) return;
      const { anchoredAtMs = 0 } = (await chain.lastCheckpoint(end.origin)) ?? {};
      if (anchoredAtMs <= before) await records.locks.exclusively("anchoring", () => anchorCheckpoint(end));
    },

    finishOpen,

    unfinished: () => unfinishedIn(records),

    async recover() {
      const { requests, transactions } = await unfinishedIn(records);
      if (requests.length + transactions.length > 0) await queue.commitAll();
      return requests.length;
    },

    sync: () => queue.commitAll(),
    policyVersion: sync.foreignVersion,
    naming: async () =>
      (await hasGate()) ? (await readNaming(await chain.readGate())).naming : namingToBe(records, options.names),
    keys: async () => ((await hasGate()) ? sync.keys() : []),
    find: chain.find,
    policyHolder: chain.policyHolder,

    async drift() {
      if (!(await hasGate())) return { rules: 0, isOursToMend: true };
      const state = await chain.read();
      const isOursToMend = state.policyCap !== undefined;
      const { naming } = await readNaming(state, isOursToMend);
      return { rules: await sync.drift(state, naming), isOursToMend };
    },

    async balance() {
      const address = signer.toSuiAddress();
      const { balance } = await withDeadline(timeouts.readMs, ({ signal }) =>
        client.getBalance({ owner: address, signal }),
      );
      const mist = BigInt(balance.balance);
      return { address, amount: inSui(mist), isLow: mist < LOW_BALANCE };
    },

    close: queue.close,
  };
}
