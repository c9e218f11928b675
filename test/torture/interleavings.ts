// Chats, streams, recalls, lists, tries of the model, revokes, grants, resets, and memories that are forgotten, superseded or
// expire, in every order that a scheduler can think of: whenever anything waits, the scheduler decides what goes on. It all
// happens in three tenants of one database at the same time, with the same names, while a fourth one is asleep.
import fc, { type Scheduler } from "fast-check";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { readPrompt } from "#core/prompt/prompt.ts";
import type { LanguageModel } from "#ports.ts";
import { createTransparencyLog } from "#service/log/transparency-log.ts";
import { fill, rowsOf } from "#test/suites/records/tenant-rows.ts";
import { testTenant } from "#test/support/tenant.ts";
import { installWasmDigest } from "#wasm-digest.ts";
import { createHistory, type History, type Leak } from "./history.ts";
import { AGENTS, doSteps, notAsLeft, rulesOf, STAMP, type Step, use } from "./interleaved-steps.ts";
import { createShelves, isOfTenant, NAMESPACES, namesIn, PLACES } from "./memory-shelf.ts";
import { type FencePoint, removeFence } from "./remove-fence.ts";
import { scheduledRecords } from "./scheduled-records.ts";
import { leaveTenantOut } from "./tenant-left-out.ts";

/** So many runs share a database: what is forgotten stays in it as a mark, and makes it slow. */
const RUNS_A_WORLD = 400;
const HOUR_MS = 3_600_000;
/** In the last nobody changes anything. */
const TENANTS = ["a", "b", "c"] as const;

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
/** Each list is somebody who does one thing after another. No two people change the same tenant. */
const people = fc.tuple(
  fc.tuple(
    fc.array(questions, { minLength: 1, maxLength: 2 }),
    fc.array(questions, { maxLength: 2 }),
    fc.array(changes, { minLength: 1, maxLength: 4 }),
  ),
  fc.tuple(fc.array(questions, { maxLength: 1 }), fc.array(changes, { maxLength: 3 })),
  fc.tuple(fc.array(questions, { maxLength: 1 })),
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
  /** The statement to leave the tenant out of, for the same purpose. */
  readonly untenanted?: RegExp | undefined;
  /** Told after each so many runs. */
  readonly onProgress?: (runs: number) => void;
}

/** Stops at the first leak. */
export async function interleave({ untenanted, ...options }: Options): Promise<Found> {
  await installWasmDigest();
  const restore = untenanted && leaveTenantOut(untenanted);
  return search(options).finally(restore);
}

async function search({ runs, seed, without, onProgress }: Options): Promise<Found> {
  let [done, uses] = [0, 0];
  let leaks: readonly Leak[] = [];
  let world: World | undefined;
  // A fence that is taken out is found in one tenant, and sooner when it is the only one.
  const tenants = without === undefined ? TENANTS : TENANTS.slice(0, 1);
  const property = fc.asyncProperty(fc.scheduler(), people, async (scheduler, everybody) => {
    if (done % RUNS_A_WORLD === 0 || world === undefined) {
      await world?.close();
      world = await createWorld(tenants, without);
      onProgress?.(done);
    }
    const found = await world.run(scheduler, everybody);
    done += 1;
    uses += found.uses;
    leaks = found.leaks;
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

/** Rows of a tenant in which nobody does anything have changed. */
const WOKEN: Leak = { what: "page", agentId: "", of: "tenant", name: "a row", late: 0 };

interface World {
  /** `everybody` is the people of each tenant. */
  run(
    scheduler: Scheduler,
    everybody: readonly (readonly (readonly Step[])[])[],
  ): Promise<Pick<Found, "uses" | "leaks">>;
  close(): Promise<void>;
}

async function createWorld(letters: readonly string[], without: Options["without"]): Promise<World> {
  let clock = Date.parse(STAMP.at);
  const now = () => new Date(clock);
  const records = sqliteRecords({ path: ":memory:", now });
  const log = createTransparencyLog(records);
  await log.vkey();
  const inAnHour = () => new Date(clock + HOUR_MS).toISOString();
  const passTime = () => {
    clock += 2 * HOUR_MS;
  };
  let turn: () => Promise<void> = async () => undefined;
  let histories: readonly History[] = [];

  async function createTenant(id: string, i: number) {
    const created = await records.tenants.create(id, STAMP.at);
    const own = records.recordsOf(created ?? { number: Number.NaN });
    const model = watchedModel(
      () => turn(),
      () => histories[i] as History,
    );
    const parts = { records: scheduledRecords(own, () => turn()), model };
    return { own, tenant: testTenant({ ...(without === undefined ? parts : removeFence(without, parts)), log }) };
  }
  const tenants = await Promise.all(letters.map(createTenant));
  await fill(records, "asleep");
  const rowsAsleep = async () => JSON.stringify(await rowsOf(records));
  const asleep = await rowsAsleep();

  return {
    async run(scheduler, everybody) {
      turn = async () => undefined;
      histories = letters.map((letter) => createHistory({ isOurs: (name) => isOfTenant(name, letter) }));
      const shelves = createShelves(letters, inAnHour);
      const scenes = tenants.map(({ tenant, own }, i) => {
        const [history, shelf] = [histories[i] as History, shelves[i] as (typeof shelves)[number]];
        return { tenant, own, history, shelf, passTime };
      });
      for (const { own, history, shelf } of scenes) {
        const memories = shelf.all().map(({ memory }) => memory);
        const rules = rulesOf([true, true, true, true]);
        await own.reset(memories, policyFrom(rules), STAMP);
        history.changing(rules)();
      }
      turn = () => scheduler.schedule(Promise.resolve());
      const all = scenes.flatMap((scene, i) => (everybody[i] ?? []).map((steps) => doSteps(scene, steps)));
      await scheduler.waitFor(Promise.all(all), letCommit);
      // What a change of the policy set off may still be under way.
      turn = async () => undefined;
      await scheduler.waitAll();
      const leaks = histories.flatMap((history) => history.leaks());
      const uses = histories.reduce((sum, history) => sum + history.uses, 0);
      for (const scene of scenes) leaks.push(...(await notAsLeft(scene, now())));
      if ((await rowsAsleep()) !== asleep) leaks.push(WOKEN);
      return { uses, leaks };
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
