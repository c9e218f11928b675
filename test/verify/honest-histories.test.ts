// No false alarm: whatever an honest operator does between an answer and its verification, no receipt of the service
// fails. The histories run on the real services and the local ledger's rules, with grants, revokes, resets, late anchors,
// restores of the database (which leave it behind its gate) and new signing keys.
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { suiLedger } from "#adapters/ledger/sui/sui-ledger.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { keyIdOf } from "#core/receipt/disclosure/signing-key.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { RecordStore } from "#ports.ts";
import { anchorOnChain } from "#service/anchoring/anchor-on-chain.ts";
import { chat } from "#service/answers/chat.ts";
import { recall } from "#service/answers/recall.ts";
import type { Deps } from "#service/deps.ts";
import { reset } from "#service/operations/reset.ts";
import { setAccess } from "#service/policy/policy.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";
import { asked } from "#test/support/asked.ts";
import { testDeps } from "#test/support/deps.ts";
import { startLocalChain } from "#test/support/local-chain.ts";

const ADMIN: Principal = { role: "admin", id: "test", name: "test" };
const AGENT = "assistant";
const NAMESPACES = ["diet", "finance", "health"];
const QUERIES = ["What may I eat?", "How is my health?", "How much money do I have?"];

type Step =
  | { readonly kind: "ask"; readonly query: string; readonly isRecall: boolean }
  | { readonly kind: "access"; readonly namespace: string; readonly allowed: boolean }
  | { readonly kind: "anchor"; readonly place: number }
  | { readonly kind: "reset" | "backup" | "restore" | "new key" };

const ask = fc.record({
  kind: fc.constant("ask" as const),
  query: fc.constantFrom(...QUERIES),
  isRecall: fc.boolean(),
});
const access = fc.record({
  kind: fc.constant("access" as const),
  namespace: fc.constantFrom(...NAMESPACES),
  allowed: fc.boolean(),
});
const anchors = fc.record({ kind: fc.constant("anchor" as const), place: fc.nat() });
const others = fc.record({
  kind: fc.constantFrom("reset" as const, "backup" as const, "restore" as const, "new key" as const),
});

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: ask },
  { weight: 5, arbitrary: access },
  { weight: 3, arbitrary: anchors },
  { weight: 3, arbitrary: others },
);

/** What an honest operator may refuse: the answer's version will not be on the gate, it was lost, or its key has ended. */
const REFUSALS = new Set(["version-not-on-ledger", "receipt-not-on-record", "signing-key-ended"]);

/** Without a directory the database is in memory, and cannot be restored. */
async function world(directory: string | undefined) {
  const chain = await startLocalChain();
  const blobs = memoryBlobs();
  let count = 0;
  const path = directory === undefined ? ":memory:" : join(directory, "records.db");
  const backup = join(directory ?? "", "backup.db");

  function open(): Deps {
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
      explorerUrl: (digest) => `/tx/${digest}`,
    });
    const newId = (prefix: string) => `${prefix}_${++count}`;
    return testDeps({ records, blobs, ledger, now: () => new Date(), newId });
  }

  let deps = open();
  await reset(deps, "first start");
  const close = async () => {
    await deps.ledger.close();
    await deps.records.close();
  };
  return {
    deps: () => deps,
    close,
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
      deps = open();
    },
  };
}

/** The verdicts of what could be anchored, and how often that was refused. */
async function run(history: readonly Step[]) {
  const isRestored = history.some(({ kind }) => kind === "restore");
  const directory = isRestored ? mkdtempSync(join(tmpdir(), "portcullis-history-")) : undefined;
  const service = await world(directory);
  service.backUp();
  const waiting: AnswerReceipt[] = [];
  const anchored: { receiptId: string; receipt: AnswerReceipt }[] = [];
  let refused = 0;

  async function anchor(receipt: AnswerReceipt): Promise<void> {
    try {
      const { receiptId } = await anchorOnChain(service.deps(), { receipt }, ADMIN);
      anchored.push({ receiptId, receipt });
    } catch (error) {
      if (!(error instanceof PortcullisError) || !REFUSALS.has(error.code)) throw error;
      refused += 1;
    }
  }

  async function take(step: Step): Promise<void> {
    const deps = service.deps();
    switch (step.kind) {
      case "ask": {
        const question = { agentId: AGENT, query: step.query };
        const { receipt } = step.isRecall
          ? await asked((caller) => recall(deps, question, caller as never))
          : await asked((caller) => chat(deps, question, caller));
        return void waiting.push(receipt as AnswerReceipt);
      }
      case "access":
        await setAccess(deps, { agentId: AGENT, namespace: step.namespace, allowed: step.allowed }, ADMIN);
        return;
      case "reset":
        return reset(deps, "test");
      case "anchor": {
        const [receipt] = waiting.splice(step.place % Math.max(waiting.length, 1), 1);
        if (receipt !== undefined) await anchor(receipt);
        return;
      }
      case "backup":
        return service.backUp();
      case "restore": {
        await service.restore();
        // A key that was made after the backup, and was never told to the gate, is gone, and what it signed is nobody's.
        const known = await knownKeys(service.deps());
        waiting.splice(0, waiting.length, ...waiting.filter(({ signature }) => known.has(signature.keyId)));
        return;
      }
      case "new key": {
        const former = await deps.records.signingKeys.signing();
        await addSigningKey(deps.records, new Date());
        if (former !== undefined) await deps.records.signingKeys.end(former.keyId, new Date().toISOString());
        return;
      }
    }
  }

  for (const step of history) await take(step);
  for (const receipt of waiting.splice(0)) await anchor(receipt);
  const verify = (receiptId: string) => service.deps().verifier.verify(receiptId);
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

async function knownKeys({ records, ledger }: Deps): Promise<ReadonlySet<string>> {
  const recorded = (await records.signingKeys.list()).map(({ keyId }) => keyId);
  const onGate = (await ledger.keys()).map(({ publicKey }) => keyIdOf(Uint8Array.from(Buffer.from(publicKey, "hex"))));
  return new Set([...recorded, ...onGate]);
}

test("no receipt of 200 honest histories fails, and all that used a memory are verified", async () => {
  const counts = { verified: 0, unknown: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 14 }), async (history) => {
      const { verifications, refused } = await run(history);
      counts.refused += refused;
      for (const { verdict, checks, used } of verifications) {
        const notPassed = checks.flatMap(({ code }) => code ?? []);
        expect([verdict, notPassed]).toEqual(used > 0 ? ["verified", []] : ["unknown", ["nothing-claimed"]]);
        counts[verdict as "verified" | "unknown"] += 1;
      }
    }),
    { numRuns: 200 },
  );
  // The histories are about something.
  expect(counts.verified).toBeGreaterThan(200);
  expect(counts.refused).toBeGreaterThan(0);
}, 300_000);
