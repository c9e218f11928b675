// (c) How soon the service is ready, and how much memory it holds while nobody asks.
import { setTimeout as sleep } from "node:timers/promises";
import type { Benchmark, Figure } from "./support/benchmark.ts";
import { startNode } from "./support/children.ts";
import { residentMemory } from "./support/proc.ts";
import { createScratch } from "./support/scratch.ts";
import { type Server, startBare, startService } from "./support/servers.ts";

const ROUNDS = 5;
const IDLE_MS = 600;
const READY = { unit: "ms", aim: { under: 1_000 } } as const;
const RESIDENT = { unit: "MB", aim: { under: 120 } } as const;

export const start: Benchmark = {
  title: "from the start of the process to the first 200 of /readyz, and resident memory when idle",

  async run(progress) {
    const seeded = createScratch();
    await (await startService(seeded)).stop();

    const node: number[] = [];
    const bare: Started[] = [];
    const fresh: Started[] = [];
    const again: Started[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`start: round ${round} of ${ROUNDS}`);
      node.push(await nodeAlone(seeded));
      bare.push(await started(startBare(seeded)));
      fresh.push(await started(startService(createScratch())));
      again.push(await started(startService(seeded)));
    }
    return { figures: figuresOf({ node, bare, fresh, again }), notes: [] };
  },
};

interface Started {
  readonly readyAfterMs: number;
  readonly residentMb: number | undefined;
}

async function started(starting: Promise<Server>): Promise<Started> {
  const { pid, readyAfterMs, stop } = await starting;
  try {
    await sleep(IDLE_MS);
    return { readyAfterMs, residentMb: residentMemory(pid) };
  } finally {
    await stop();
  }
}

async function nodeAlone(cwd: string): Promise<number> {
  const began = performance.now();
  await startNode({ args: ["-e", "0"], cwd }).finished();
  return performance.now() - began;
}

interface Measured {
  readonly node: readonly number[];
  readonly bare: readonly Started[];
  readonly fresh: readonly Started[];
  readonly again: readonly Started[];
}

function figuresOf({ node, bare, fresh, again }: Measured): Figure[] {
  const ready = (starts: readonly Started[]) => starts.map(({ readyAfterMs }) => readyAfterMs);
  const resident = (starts: readonly Started[]) => starts.flatMap(({ residentMb }) => residentMb ?? []);
  return [
    { id: "seeded", what: "Portcullis ready, seeded database", rounds: ready(again), ...READY },
    { id: "fresh", what: "Portcullis ready, no database yet", rounds: ready(fresh), ...READY },
    { id: "bare", what: "bare Hono server ready", unit: "ms", rounds: ready(bare) },
    { id: "node", what: "node -e 0", unit: "ms", rounds: node },
    { id: "resident", what: "Portcullis resident, seeded", rounds: resident(again), ...RESIDENT },
    { id: "residentFresh", what: "Portcullis resident, just seeded", rounds: resident(fresh), ...RESIDENT },
    { id: "bareResident", what: "bare Hono server resident", unit: "MB", rounds: resident(bare) },
  ];
}
