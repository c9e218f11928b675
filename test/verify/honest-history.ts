// A history of an honest operator, on the real services and the local ledger's rules: questions, changes, anchors, and
// whatever else happens to a service. All that was anchored is verified at the end.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { suiLedger } from "#adapters/ledger/sui/sui-ledger.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import type { BlobStore, RecordStore } from "#ports.ts";
import { anchorOnChain } from "#service/anchoring/anchor.ts";
import { chat } from "#service/answers/chat.ts";
import { recallMemories } from "#service/answers/recall-memories.ts";
import { reset } from "#service/operations/reset.ts";
import { setAccess } from "#service/policy/policy.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked } from "#test/support/asked.ts";
import { startLocalChain } from "#test/support/local-chain.ts";
import { testTenant } from "#test/support/tenant.ts";

const ADMIN: Principal = { role: "admin", id: "test", name: "test" };
const AGENT = "assistant";

export type Step =
  | {
      readonly kind: "ask";
      readonly query: string;
      readonly isRecall: boolean;
      /** What happens while it is answered. */
      readonly meanwhile: readonly Step[];
    }
  | { readonly kind: "access"; readonly namespace: string; readonly allowed: boolean }
  | { readonly kind: "anchor"; readonly place: number }
  | { readonly kind: "wait"; readonly minutes: number }
  | { readonly kind: "reset" | "backup" | "restore" | "new key" | "tell ledger" };

/** What an honest operator may refuse: the answer's version will not be on the gate, it was lost, or its key has ended. */
/** A reset forgets: what was answered before it can be anchored sealed alone. */
const REFUSALS = new Set(["version-not-on-ledger", "receipt-not-on-record", "signing-key-ended", "memory-forgotten"]);

/** Without a directory the database is in memory, and cannot be restored. */
async function world(directory: string | undefined) {
  // One clock for the service and its ledger, on which waiting costs nothing.
  let time = Date.UTC(2026, 0, 1);
  const now = () => new Date(++time);
  const chain = await startLocalChain({ clock: () => time });
  const stored = memoryBlobs();
  let meanwhile: () => Promise<void> = async () => undefined;
  const blobs: BlobStore = {
    ...stored,
    async get(blobId) {
      const happens = meanwhile;
      meanwhile = async () => undefined;
      await happens();
      return stored.get(blobId);
    },
  };
  let count = 0;
  const path = directory === undefined ? ":memory:" : join(directory, "records.db");
  const backup = join(directory ?? "", "backup.db");

  function open(): Tenant {
    const records: RecordStore = sqliteRecords({ path });
    const { client, signer, packageId, gateId } = chain;
    const signingKeys = records.signingKeys.list;
    const ids = { network: "local", packageId, gateId };
    const ledger = suiLedger({
      ...ids,
      client,
      signer,
      records,
      signingKeys,
      now,
      explorerUrl: (digest) => `/tx/${digest}`,
    });
    const newId = (prefix: string) => `${prefix}_${++count}`;
    return testTenant({ records, blobs, ledger, now, newId });
  }

  let tenant = open();
  await reset(tenant, "first start");
  const close = async () => {
    await tenant.ledger.close();
    await tenant.records.close();
  };
  return {
    tenant: () => tenant,
    now,
    close,
    wait(minutes: number): void {
      time += minutes * 60_000;
    },
    /** Happens when the next blob is looked at. */
    duringNextAnswer(happens: () => Promise<void>): void {
      meanwhile = happens;
    },
    backUp(): void {
      if (directory === undefined) return;
      rmSync(backup, { force: true });
      const database = new DatabaseSync(path);
      database.prepare("VACUUM INTO ?").run(backup);
      database.close();
    },
    async restore(): Promise<void> {
      await close();
      for (const end of ["", "-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
      copyFileSync(backup, path);
      tenant = open();
    },
  };
}

/** The verdicts of what could be anchored, and how often that was refused. */
export async function runHistory(history: readonly Step[]) {
  const isRestored = history.some(({ kind }) => kind === "restore");
  const directory = isRestored ? mkdtempSync(join(tmpdir(), "portcullis-history-")) : undefined;
  const service = await world(directory);
  service.backUp();
  const waiting: AnswerReceipt[] = [];
  const anchored: { receiptId: string; receipt: AnswerReceipt }[] = [];
  let refused = 0;

  async function anchor(receipt: AnswerReceipt): Promise<void> {
    try {
      const { receiptId } = await anchorOnChain(service.tenant(), { receipt }, { principal: ADMIN });
      anchored.push({ receiptId, receipt });
    } catch (error) {
      if (!(error instanceof PortcullisError) || !REFUSALS.has(error.code)) throw error;
      refused += 1;
    }
  }

  async function take(step: Step): Promise<void> {
    const tenant = service.tenant();
    switch (step.kind) {
      case "ask": {
        const question = { agentId: AGENT, query: step.query };
        service.duringNextAnswer(async () => {
          for (const inner of step.meanwhile) await take(inner);
        });
        const { receipt } = step.isRecall
          ? await asked((caller) => recallMemories(tenant, question, caller as never))
          : await asked((caller) => chat(tenant, question, caller));
        service.duringNextAnswer(async () => undefined);
        return void waiting.push(receipt as AnswerReceipt);
      }
      case "access":
        await setAccess(
          tenant,
          { agentId: AGENT, namespace: step.namespace, allowed: step.allowed },
          { principal: ADMIN },
        );
        return;
      case "reset":
        return reset(tenant, "test");
      case "anchor": {
        const [receipt] = waiting.splice(step.place % Math.max(waiting.length, 1), 1);
        if (receipt !== undefined) await anchor(receipt);
        return;
      }
      case "wait":
        return service.wait(step.minutes);
      case "tell ledger":
        return tenant.ledger.sync();
      case "backup":
        return service.backUp();
      case "restore": {
        await service.restore();
        // A key that was made after the backup, and was never told to the gate, is gone, and what it signed is nobody's.
        const known = await knownKeys(service.tenant());
        waiting.splice(0, waiting.length, ...waiting.filter(({ signature }) => known.has(signature.keyId)));
        return;
      }
      case "new key": {
        const former = await tenant.records.signingKeys.signing();
        await addSigningKey(tenant.records, service.now());
        if (former !== undefined) await tenant.records.signingKeys.end(former.keyId, service.now().toISOString());
        return;
      }
    }
  }

  for (const step of history) await take(step);
  for (const receipt of waiting.splice(0)) await anchor(receipt);
  const verify = (receiptId: string) => service.tenant().verifier.verify(receiptId);
  const verifications = await Promise.all(
    anchored.map(async ({ receiptId, receipt }) => ({
      used: receipt.usedMemories.length,
      ...(await verify(receiptId)),
    })),
  );
  await service.close();
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  return { verifications, refused };
}

async function knownKeys({ records, ledger }: Tenant): Promise<ReadonlySet<string>> {
  const recorded = (await records.signingKeys.list()).map(({ keyId }) => keyId);
  const onGate = (await ledger.keys()).map(({ publicKey }) => keyIdOf(Uint8Array.from(Buffer.from(publicKey, "hex"))));
  return new Set([...recorded, ...onGate]);
}
