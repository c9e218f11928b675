// The time until the service is ready, and its resident memory when idle.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "../scripts/package/build.ts";
import type { Benchmark, Figure } from "./support/benchmark.ts";
import { startNode } from "./support/child-process.ts";
import { residentMemory } from "./support/process-usage.ts";
import { type Server, startBare, startPackaged, startService } from "./support/servers.ts";
import { ratios } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const ROUNDS = 5;
const IDLE_MS = 600;
const READY = { unit: "ms", aim: { under: 1_000 } } as const;
const RESIDENT = { unit: "MB", aim: { under: 115 } } as const;

export const start: Benchmark = {
  title: "from the start of the process to the first 200 of /readyz, and resident memory when idle",

  async run(progress) {
    const seeded = createTemporaryFolder();
    await (await startService(seeded)).stop();
    progress("start: building the package");
    await build(join(import.meta.dirname, ".."));
    await (await startPackaged(seeded)).stop();

    const node: number[] = [];
    const bare: Start[] = [];
    const fresh: Start[] = [];
    const again: Start[] = [];
    const packaged: Start[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      progress(`start: round ${round} of ${ROUNDS}`);
      node.push(await nodeAlone(seeded));
      bare.push(await measureStart(startBare(seeded)));
      fresh.push(await measureStart(startService(createTemporaryFolder())));
      again.push(await measureStart(startService(seeded)));
      packaged.push(await measureStart(startPackaged(seeded)));
    }
    return { figures: figuresOf({ node, bare, fresh, again, packaged }), notes: [] };
  },
};

interface Start {
  readonly readyAfterMs: number;
  readonly residentMb: number | undefined;
}

async function measureStart(starting: Promise<Server>): Promise<Start> {
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

interface Starts {
  readonly node: readonly number[];
  readonly bare: readonly Start[];
  readonly fresh: readonly Start[];
  readonly again: readonly Start[];
  readonly packaged: readonly Start[];
}

function figuresOf({ node, bare, fresh, again, packaged }: Starts): Figure[] {
  const ready = (starts: readonly Start[]) => starts.map(({ readyAfterMs }) => readyAfterMs);
  const resident = (starts: readonly Start[]) => starts.flatMap(({ residentMb }) => residentMb ?? []);
  return [
    { id: "seeded", what: "Portcullis ready, seeded database", rounds: ready(again), ...READY },
    { id: "fresh", what: "Portcullis ready, no database yet", rounds: ready(fresh), ...READY },
    {
      id: "packaged",
      what: "portcullis serve of the package ready, seeded database",
      rounds: ready(packaged),
      ...READY,
    },
    { id: "bare", what: "bare Hono server ready", unit: "ms", rounds: ready(bare) },
    {
      id: "packagedRatio",
      what: "portcullis serve / bare",
      rounds: ratios(ready(packaged), ready(bare)),
      aim: { under: 2.5 },
    },
    { id: "node", what: "node -e 0", unit: "ms", rounds: node },
    { id: "resident", what: "portcullis serve of the package resident", rounds: resident(packaged), ...RESIDENT },
    { id: "residentSources", what: "Portcullis resident, from its sources", unit: "MB", rounds: resident(again) },
    { id: "bareResident", what: "bare Hono server resident", unit: "MB", rounds: resident(bare) },
  ];
}
