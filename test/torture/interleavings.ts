// Chats, streams, recalls, tries of the model, revokes, grants and resets, in every order that a scheduler can think of: whenever
// anything waits, the scheduler decides what goes on.
import fc, { type Scheduler } from "fast-check";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { PortcullisError } from "#core/errors.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { readPrompt } from "#core/prompt/prompt.ts";
import type { LanguageModel, RecordStore } from "#ports.ts";
import type { Caller } from "#service/answers/caller.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import { recall } from "#service/answers/recall.ts";
import type { Deps } from "#service/deps.ts";
import { asked, heard } from "#test/support/asked.ts";
import { testDeps } from "#test/support/deps.ts";
import { createHistory, type History, type Leak } from "./history.ts";
import { type FencePoint, removeFence } from "./remove-fence.ts";

const AGENTS = ["a", "companion"] as const;
const NAMESPACES = ["x", "y"] as const;
const STAMP = { by: "torture", at: "2026-01-01T00:00:00.000Z" };
/** So many runs share a database: what is forgotten stays in it as a mark, and makes it slow. */
const RUNS_A_WORLD = 400;

type Agent = (typeof AGENTS)[number];
type Step =
  | { readonly kind: "ask"; readonly agentId: Agent; readonly streams: boolean; readonly tries: number }
  | { readonly kind: "recall"; readonly agentId: Agent }
  | { readonly kind: "set"; readonly agentId: Agent; readonly namespace: string; readonly allowed: boolean }
  | { readonly kind: "reset"; readonly open: readonly boolean[] };

const agents = fc.constantFrom(...AGENTS);
const asks = fc.record({
  kind: fc.constant("ask" as const),
  agentId: agents,
  streams: fc.boolean(),
  tries: fc.integer({ min: 1, max: 2 }),
});
const recalls = fc.record({ kind: fc.constant("recall" as const), agentId: agents });
const questions = fc.oneof({ weight: 3, arbitrary: asks }, { weight: 1, arbitrary: recalls });
const sets = fc.record({
  kind: fc.constant("set" as const),
  agentId: agents,
  namespace: fc.constantFrom(...NAMESPACES),
  allowed: fc.boolean(),
});
const resets = fc.record({
  kind: fc.constant("reset" as const),
  open: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
});
/** Each list is somebody who does one thing after another. */
const people = fc.tuple(
  fc.array(questions, { minLength: 1, maxLength: 2 }),
  fc.array(questions, { maxLength: 2 }),
  fc.array(fc.oneof({ weight: 6, arbitrary: sets }, { weight: 1, arbitrary: resets }), { minLength: 1, maxLength: 4 }),
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
  const records = sqliteRecords({ path: ":memory:" });
  let turn: () => Promise<void> = async () => undefined;
  let history = createHistory();
  const scheduled = inTurns(records, () => turn());
  const model = watchedModel(
    () => turn(),
    () => history,
  );
  const parts = { records: scheduled, model };
  const deps = testDeps(without === undefined ? parts : removeFence(without, parts));

  return {
    async run(scheduler, everybody) {
      turn = async () => undefined;
      history = createHistory();
      await records.reset(memories(), policyOf([true, true, true, true]), STAMP);
      turn = () => scheduler.schedule(Promise.resolve());
      await scheduler.waitFor(Promise.all(everybody.map((steps) => go(deps, history, steps))), letCommit);
      // What a change of the policy set off may still be under way.
      turn = async () => undefined;
      await scheduler.waitAll();
      return history;
    },
    close: () => records.close(),
  };
}

async function go(deps: Deps, history: History, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await doStep(deps, history, step);
}

async function doStep(deps: Deps, history: History, step: Step): Promise<void> {
  if (step.kind === "ask") return unlessConflict(ask(deps, history, step));
  if (step.kind === "recall") return unlessConflict(recallFor(deps, history, step.agentId));
  if (step.kind === "set") {
    const acknowledge = history.changing([step]);
    await deps.records.policy.set(step, STAMP);
    return acknowledge();
  }
  const leaves = leavesOf(step.open);
  const acknowledge = history.changing(leaves);
  await deps.records.reset(memories(), policyFrom(leaves), STAMP);
  acknowledge();
}

/** A question may be refused because the policy kept changing. */
async function unlessConflict(asking: Promise<unknown>): Promise<void> {
  try {
    await asking;
  } catch (error) {
    if (!(error instanceof PortcullisError && error.code === "policy-changed")) throw error;
  }
}

async function recallFor(deps: Deps, history: History, agentId: Agent): Promise<void> {
  await recall(
    deps,
    { agentId, query: agentId },
    { release: ({ memories }) => history.used("answer", agentId, new Set(memories.map(({ namespace }) => namespace))) },
  );
}

async function ask(deps: Deps, history: History, { agentId, streams, tries }: Step & { kind: "ask" }): Promise<void> {
  const door = agentId === "companion" ? companion : chat;
  const used = (text: string) => history.used("answer", agentId, namespacesIn(text));
  await (streams ? heard : asked)((caller: Caller) =>
    door(
      deps,
      { agentId, query: `${agentId} ${tries}` },
      {
        ...caller,
        ...(caller.listener && {
          listener: {
            ...caller.listener,
            write(pieces, lost) {
              used(pieces.join(""));
              return caller.listener?.write(pieces, lost);
            },
          },
        }),
        release(answered, lost) {
          used(answered.answer);
          history.used("answer", agentId, new Set(answered.receipt.usedMemories.map(({ namespace }) => namespace)));
          return caller.release(answered, lost);
        },
      },
    ),
  );
}

/** Says which namespaces it was told of, in pieces, and takes as many tries as the question says. */
function watchedModel(turn: () => Promise<void>, history: () => History): LanguageModel {
  return {
    name: "watched",
    async complete(prompt, { signal, onText, fence }) {
      const { memories: told, query } = readPrompt(prompt);
      const [agentId = "", tries] = query.split(" ");
      const namespaces = [...new Set(told.map(({ namespace }) => namespace))];
      for (let i = 0; i < Number(tries); i++) {
        await turn();
        signal?.throwIfAborted();
        await fence(() => history().used("prompt", agentId, namespaces));
      }
      const pieces = [...namespaces.map((namespace) => `<${namespace}>`), "."];
      for (const piece of pieces) {
        await turn();
        signal?.throwIfAborted();
        onText?.(piece);
      }
      return { text: pieces.join(""), model: "watched" };
    },
  };
}

const namespacesIn = (text: string) => [...text.matchAll(/<(\w)>/g)].map(([, namespace = ""]) => namespace);

/** The records, with a turn of the scheduler before and after all that is asked of them, and within the fence. */
function inTurns(records: RecordStore, turn: () => Promise<void>): RecordStore {
  async function between<T>(job: () => Promise<T>): Promise<T> {
    await turn();
    const result = await job();
    await turn();
    return result;
  }
  return {
    ...records,
    changeFeed: {
      since: (cursor) => between(() => records.changeFeed.since(cursor)),
      changesIn: (range) => between(() => records.changeFeed.changesIn(range)),
    },
    memories: { ...records.memories, at: (sequences) => between(() => records.memories.at(sequences)) },
    receipts: { ...records.receipts, add: (receipt) => between(() => records.receipts.add(receipt)) },
    policy: {
      ...records.policy,
      set: (rule, stamp) => between(() => records.policy.set(rule, stamp)),
      passFence: (readSet, action) =>
        between(() => records.policy.passFence(readSet, (lost) => between(async () => action(lost)))),
    },
    reset: (...args) => between(() => records.reset(...args)),
  };
}

/** After each step, what has been written is committed: commits are made when the event loop comes round. */
async function letCommit(step: () => Promise<void>): Promise<void> {
  await step();
  await new Promise((resolve) => setImmediate(resolve));
}

const leavesOf = (open: readonly boolean[]) =>
  AGENTS.flatMap((agentId, i) =>
    NAMESPACES.map((namespace, j) => ({ agentId, namespace, allowed: open[i * NAMESPACES.length + j] === true })),
  );
const policyOf = (open: readonly boolean[]) => policyFrom(leavesOf(open));

let count = 0;
const memories = () =>
  NAMESPACES.map((namespace) => ({
    memoryId: `mem_${++count}`,
    storeRef: "ref",
    namespace,
    content: namespace,
    sourceAgent: "s",
    createdAt: STAMP.at,
    contentDigest: "",
  }));
