// Chats, streams, recalls, lists, tries of the model, revokes, grants, resets, and memories that are forgotten, superseded or
// expire, in every order that a scheduler can think of: whenever anything waits, the scheduler decides what goes on.
import fc, { type Scheduler } from "fast-check";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { readPrompt } from "#core/prompt/prompt.ts";
import type { LanguageModel } from "#ports.ts";
import { testTenant } from "#test/support/tenant.ts";
import { createHistory, type History, type Leak } from "./history.ts";
import { AGENTS, doSteps, rulesOf, STAMP, type Step, use } from "./interleaved-steps.ts";
import { createShelf, NAMESPACES, namesIn, PLACES } from "./memory-shelf.ts";
import { type FencePoint, removeFence } from "./remove-fence.ts";
import { scheduledRecords } from "./scheduled-records.ts";

/** So many runs share a database: what is forgotten stays in it as a mark, and makes it slow. */
const RUNS_A_WORLD = 400;
const HOUR_MS = 3_600_000;

const agents = fc.constantFrom(...AGENTS);
const kind = <Kind extends Step["kind"]>(name: Kind) => fc.constant(name);
const asks = fc.record({
  kind: kind("ask"),
  agentId: agents,
  streams: fc.boolean(),
  tries: fc.integer({ min: 1, max: 2 }),
});
const recalls = fc.record({ kind: kind("recall"), agentId: agents });
const reads = fc.record({
  kind: kind("read"),
  agentId: fc.constantFrom("" as const, ...AGENTS),
  searches: fc.boolean(),
});
const questions = fc.oneof({ weight: 6, arbitrary: asks }, { weight: 2, arbitrary: recalls }, reads);
const sets = fc.record({
  kind: kind("set"),
  agentId: agents,
  namespace: fc.constantFrom(...NAMESPACES),
  allowed: fc.boolean(),
});
const batches = fc.record({
  kind: kind("batch"),
  allowed: fc.array(fc.constantFrom(true, false, null), { minLength: 4, maxLength: 4 }),
});
const resets = fc.record({
  kind: kind("reset"),
  open: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
});
const places = fc.nat({ max: PLACES.length - 1 });
const forgets = fc.record({ kind: kind("forget"), place: places });
const supersedes = fc.record({ kind: kind("supersede"), place: places, isByKey: fc.boolean() });
const expires = fc.record({ kind: kind("expire"), isSwept: fc.boolean() });
const changes = fc.oneof(
  { weight: 6, arbitrary: sets },
  { weight: 1, arbitrary: batches },
  { weight: 1, arbitrary: resets },
  { weight: 3, arbitrary: forgets },
  { weight: 2, arbitrary: supersedes },
  { weight: 2, arbitrary: expires },
);
/** Each list is somebody who does one thing after another. */
const people = fc.tuple(
  fc.array(questions, { minLength: 1, maxLength: 2 }),
  fc.array(questions, { maxLength: 2 }),
  fc.array(changes, { minLength: 1, maxLength: 4 }),
);

export interface Found {
  readonly runs: number;
  readonly uses: number;
  readonly leaks: readonly Leak[];
}

interface Options {
  readonly runs: number;
  readonly seed?: number;
  /** The fence to take out, to see whether its absence is noticed. */
  readonly without?: Exclude<FencePoint, "both">;
  /** Told after each so many runs. */
  readonly onProgress?: (runs: number) => void;
}

/** Stops at the first leak. */
export async function interleave({ runs, seed, without, onProgress }: Options): Promise<Found> {
  let [done, uses] = [0, 0];
  let leaks: readonly Leak[] = [];
  let world: World | undefined;
  const property = fc.asyncProperty(fc.scheduler(), people, async (scheduler, everybody) => {
    if (done % RUNS_A_WORLD === 0 || world === undefined) {
      await world?.close();
      world = createWorld(without);
      onProgress?.(done);
    }
    const history = await world.run(scheduler, everybody);
    done += 1;
    uses += history.uses;
    leaks = history.leaks();
    return leaks.length === 0;
  });
  const { failed, errorInstance } = await fc.check(property, {
    numRuns: runs,
    endOnFailure: true,
    ...(seed !== undefined && { seed }),
  });
  await world?.close();
  if (failed && leaks.length === 0) throw errorInstance;
  return { runs: done, uses, leaks };
}

interface World {
  run(scheduler: Scheduler, everybody: readonly (readonly Step[])[]): Promise<History>;
  close(): Promise<void>;
}

function createWorld(without: Options["without"]): World {
  let clock = Date.parse(STAMP.at);
  const records = sqliteRecords({ path: ":memory:", now: () => new Date(clock) });
  const inAnHour = () => new Date(clock + HOUR_MS).toISOString();
  let turn: () => Promise<void> = async () => undefined;
  let history = createHistory();
  const scheduled = scheduledRecords(records, () => turn());
  const model = watchedModel(
    () => turn(),
    () => history,
  );
  const parts = { records: scheduled, model };
  const tenant = testTenant(without === undefined ? parts : removeFence(without, parts));
  const passTime = () => {
    clock += 2 * HOUR_MS;
  };

  return {
    async run(scheduler, everybody) {
      turn = async () => undefined;
      history = createHistory();
      const shelf = createShelf(inAnHour);
      const memories = shelf.all().map(({ memory }) => memory);
      await records.reset(memories, policyFrom(rulesOf([true, true, true, true])), STAMP);
      turn = () => scheduler.schedule(Promise.resolve());
      const scene = { tenant, history, shelf, passTime };
      await scheduler.waitFor(Promise.all(everybody.map((steps) => doSteps(scene, steps))), letCommit);
      // What a change of the policy set off may still be under way.
      turn = async () => undefined;
      await scheduler.waitAll();
      return history;
    },
    close: () => records.close(),
  };
}

/** Says which memories it was told of, in pieces, and takes as many tries as the question says. */
function watchedModel(turn: () => Promise<void>, history: () => History): LanguageModel {
  return {
    name: "watched",
    async complete(prompt, { signal, onText, fence }) {
      const { memories, query } = readPrompt(prompt);
      const [agentId = "", tries] = query.split(" ");
      const told = memories.map(({ content }) => content).join(" ");
      for (let i = 0; i < Number(tries); i++) {
        await turn();
        signal?.throwIfAborted();
        await fence(() => use(history(), "prompt", agentId, told));
      }
      const pieces = [...namesIn(told).names.map((name) => `<${name}>`), "."];
      for (const piece of pieces) {
        await turn();
        signal?.throwIfAborted();
        onText?.(piece);
      }
      return { text: pieces.join(""), model: "watched" };
    },
  };
}

/** After each step, what has been written is committed: commits are made when the event loop comes round. */
async function letCommit(step: () => Promise<void>): Promise<void> {
  await step();
  await new Promise((resolve) => setImmediate(resolve));
}
