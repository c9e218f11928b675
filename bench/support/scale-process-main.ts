// A process with records and a gate, for `bench/scale.ts`: it says when it is ready, then fills and measures as it
// is told. It is a process of its own so that its resident memory is that of one index.
import { snapshotFolder } from "#adapters/index-snapshots/snapshot-folder.ts";
import { loadWordVectors } from "#adapters/meaning/load-word-vectors.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { RECALL_LIMIT } from "#core/gate/gate.ts";
import type { Memory } from "#core/memory.ts";
import { recallGate } from "#test/support/recall-gate.ts";
import { createEnglishText } from "./english-text.ts";
import type { FillOrder, FillResult, MeasureOrder, MeasureResult, Order, Ready } from "./scale-process.ts";

/** Captures that are under way at a time. They share a commit. */
const BATCH = 1_000;

const path = process.argv[2] ?? "";
const records = sqliteRecords({ path, serves: true });
const { embed, checksum: table } = await loadWordVectors();
const snapshots = { files: snapshotFolder({ folder: `${path}.index` }), table };
const gate = recallGate(records, { limit: RECALL_LIMIT, embed, snapshots });
await gate.index.build();

async function fill({ memories, namespaces, seed, allow }: FillOrder): Promise<FillResult> {
  const at = new Date(0).toISOString();
  for (const rule of allow) await records.policy.set({ ...rule, allowed: true }, { by: "bench", at });
  const { fact } = createEnglishText(seed);
  let elapsed = 0;
  for (let made = 0; made < memories; made += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, memories - made) }, (_, i) => memoryOf(made + i, seed, fact()));
    const began = performance.now();
    await Promise.all(batch.map((memory, i) => records.memories.add({ ...memory, namespace: namespaceOf(made + i) })));
    await gate.index.catchUp();
    elapsed += performance.now() - began;
  }
  // As a clean shutdown does.
  await gate.index.saveSnapshots({ isLast: true });
  return { perSecond: (memories / elapsed) * 1_000 };

  function namespaceOf(i: number): string {
    return namespaces[i % namespaces.length] as string;
  }
}

function memoryOf(i: number, seed: number, content: string): Omit<Memory, "namespace"> {
  const digest = `${seed.toString(16).padStart(8, "0")}${i.toString(16).padStart(56, "0")}`;
  return {
    memoryId: `mem_${String(seed).padStart(4, "0")}${String(i).padStart(22, "0")}`,
    storeRef: digest.slice(-43),
    content,
    sourceAgent: "bench",
    createdAt: new Date(Date.UTC(2026, 0, 1) + i * 1_000).toISOString(),
    contentDigest: digest,
  };
}

/** Recalls one after the other. A turn of the event loop between them shows how long the loop was held. */
async function measure({ agentId, questions, seed }: MeasureOrder): Promise<MeasureResult> {
  const { question } = createEnglishText(seed);
  const asked = Array.from({ length: questions }, question);
  const ms: number[] = [];
  const loop = watchEventLoop();
  const cpu = process.threadCpuUsage();
  for (const query of asked) {
    const began = performance.now();
    const { memories } = await gate.recall(agentId, query);
    ms.push(performance.now() - began);
    if (memories.length === 0) throw new Error(`A recall of "${query}" found nothing.`);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { ms, cpuMs: cpuSince(cpu) / questions, ...loop.stop() };
}

/** The longest turn of the event loop: by the clock, and by the CPU time that this thread spent in it. */
function watchEventLoop() {
  let heldMs = 0;
  let heldCpuMs = 0;
  let began = performance.now();
  let cpu = process.threadCpuUsage();
  let next = setImmediate(turn);
  function turn(): void {
    heldMs = Math.max(heldMs, performance.now() - began);
    heldCpuMs = Math.max(heldCpuMs, cpuSince(cpu));
    began = performance.now();
    cpu = process.threadCpuUsage();
    next = setImmediate(turn);
  }
  return {
    stop() {
      clearImmediate(next);
      return { heldMs, heldCpuMs };
    },
  };
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

process.on("message", (order: Order) => {
  const work = order.kind === "fill" ? fill(order) : measure(order);
  work.then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${error}\n`);
      process.exit(1);
    },
  );
});
process.on("disconnect", () => process.exit());
process.send?.({ readyMs: performance.now() } satisfies Ready);
