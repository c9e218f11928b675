// What people do in an interleaving, one step after another: they ask, recall and read; they change the policy; they
// forget, supersede and let expire. The history is told of every use, and of every change and its acknowledgement.
import { PortcullisError } from "#core/errors.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { OPEN, type Principal } from "#core/identity/principal.ts";
import type { Caller } from "#service/answers/caller.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import { recallMemories } from "#service/answers/recall-memories.ts";
import { forgetMemory } from "#service/memories/forget.ts";
import { listMemories } from "#service/memories/read-memories.ts";
import { readBehindFence } from "#service/policy/fenced-read.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked, heard } from "#test/support/asked.ts";
import type { History, Leak } from "./history.ts";
import { NAMESPACES, namesIn, PLACES, type Shelf } from "./memory-shelf.ts";

export const AGENTS = ["a", "companion"] as const;
export const STAMP = { by: "torture", at: "2026-01-01T00:00:00.000Z" };

export type Agent = (typeof AGENTS)[number];
export type Step =
  | { readonly kind: "ask"; readonly agentId: Agent; readonly streams: boolean; readonly tries: number }
  | { readonly kind: "recall"; readonly agentId: Agent }
  | { readonly kind: "read"; readonly agentId: Agent | ""; readonly searches: boolean }
  | { readonly kind: "set"; readonly agentId: Agent; readonly namespace: string; readonly allowed: boolean }
  /** One value for each rule. */
  | { readonly kind: "batch"; readonly allowed: readonly (boolean | null)[] }
  | { readonly kind: "reset"; readonly open: readonly boolean[] }
  | { readonly kind: "forget"; readonly place: number }
  | { readonly kind: "supersede"; readonly place: number; readonly isByKey: boolean }
  | { readonly kind: "expire"; readonly isSwept: boolean };

export interface Scene {
  readonly tenant: Tenant;
  readonly history: History;
  readonly shelf: Shelf;
  /** Puts the clock of the database beyond the time of all memories that expire. */
  passTime(): void;
}

export async function doSteps(scene: Scene, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await doStep(scene, step);
}

async function doStep(scene: Scene, step: Step): Promise<void> {
  const { tenant, history } = scene;
  switch (step.kind) {
    case "ask":
      return unless("policy-changed", ask(scene, step));
    case "recall":
      return unless("policy-changed", recallFor(scene, step.agentId));
    case "read":
      return unless("policy-changed", read(scene, step));
    case "set": {
      const acknowledge = history.changing([step]);
      await tenant.records.policy.set(step, STAMP);
      return acknowledge();
    }
    case "batch": {
      const rules = rulesOf(step.allowed.map((allowed) => allowed === true));
      const acknowledge = history.changing(rules);
      const wanted = rules.map((rule, i) => ({ ...rule, allowed: step.allowed[i] ?? null }));
      await tenant.records.policy.setAll(wanted, STAMP);
      return acknowledge();
    }
    case "reset":
      return reset(scene, step.open);
    case "forget":
      return forget(scene, step.place);
    case "supersede":
      return supersede(scene, step);
    case "expire":
      return expire(scene, step.isSwept);
  }
}

/** A question may be refused because policy and memories kept changing. */
async function unless(code: string, asking: Promise<unknown>): Promise<void> {
  try {
    await asking;
  } catch (error) {
    if (!(error instanceof PortcullisError && error.code === code)) throw error;
  }
}

async function reset({ tenant, history, shelf }: Scene, open: readonly boolean[]): Promise<void> {
  const rules = rulesOf(open);
  const fresh = PLACES.map((_, place) => shelf.newFor(place));
  const removed = history.removing(shelf.all().map(({ name }) => name));
  const changed = history.changing(rules);
  await tenant.records.reset(
    fresh.map(({ memory }) => memory),
    policyFrom(rules),
    STAMP,
  );
  removed();
  changed();
  for (const [place, shelved] of fresh.entries()) shelf.put(place, shelved);
}

/** What is forgotten already is so again. What has expired, and is not swept yet, counts as unknown. */
async function forget({ tenant, history, shelf }: Scene, place: number): Promise<void> {
  const { name, memory } = shelf.at(place);
  const acknowledge = history.removing([name]);
  await unless("not-found", forgetMemory(tenant, { memoryId: memory.memoryId }, { principal: OPEN }).then(acknowledge));
}

/** What it is to take the place of may be gone. */
async function supersede({ tenant, history, shelf }: Scene, step: Step & { kind: "supersede" }): Promise<void> {
  const [old, shelved] = [shelf.at(step.place), shelf.newFor(step.place)];
  const acknowledge = history.removing([old.name], { staysReadable: true });
  const named = step.isByKey ? {} : { supersedes: old.memory.memoryId };
  await unless(
    "not-found",
    tenant.records.memories.add({ ...shelved.memory, ...named }).then(() => {
      acknowledge();
      shelf.put(step.place, shelved);
    }),
  );
}

/**
 * An action that passed the fence may still be under way when the time comes. A change that takes the fence alone has
 * waited for it.
 */
async function expire({ tenant, history, shelf, passTime }: Scene, isSwept: boolean): Promise<void> {
  const names = shelf.all().flatMap(({ name, memory }) => (memory.expiresAt === undefined ? [] : name));
  const acknowledge = history.removing(names);
  passTime();
  const allowed = Math.random() < 0.5;
  await tenant.records.policy.set({ agentId: "nobody", namespace: "nowhere", allowed }, STAMP);
  acknowledge();
  if (isSwept) await tenant.records.memories.forgetExpired(100);
}

async function recallFor({ tenant, history }: Scene, agentId: Agent): Promise<void> {
  await recallMemories(
    tenant,
    { agentId, query: agentId },
    { release: ({ memories }) => use(history, "answer", agentId, contentsOf(memories)) },
  );
}

/** Lists or searches, as an agent or as the admin, to whom the policy does not apply. */
async function read({ tenant, history }: Scene, { agentId, searches }: Step & { kind: "read" }): Promise<void> {
  const principal: Principal =
    agentId === "" ? OPEN : { role: "agent", id: agentId, name: agentId, agentId, captures: [] };
  const query = { limit: 100, ...(searches && { q: "<" }) };
  await readBehindFence(
    tenant,
    principal,
    async () => {
      const { memories } = await listMemories(tenant, { principal: principal }, query);
      return { value: memories, quoted: memories };
    },
    async (memories) => {
      const { names, namespaces } = namesIn(contentsOf(memories));
      history.used("page", agentId, agentId === "" ? [] : namespaces, names);
    },
  );
}

async function ask({ tenant, history }: Scene, { agentId, streams, tries }: Step & { kind: "ask" }): Promise<void> {
  const answer = agentId === "companion" ? companion : chat;
  const used = (text: string) => use(history, "answer", agentId, text);
  await (streams ? heard : asked)((caller: Caller) =>
    answer(
      tenant,
      { agentId, query: `${agentId} ${tries}` },
      {
        ...caller,
        ...(caller.listener && {
          listener: {
            ...caller.listener,
            gate(report, lost) {
              used(contentsOf(report.memories));
              return caller.listener?.gate(report, lost);
            },
            write(pieces, lost) {
              used(pieces.join(""));
              return caller.listener?.write(pieces, lost);
            },
          },
        }),
        release(answered, lost) {
          used(answered.answer);
          used(answered.receipt.usedMemories.map(({ snippet }) => snippet).join(" "));
          return caller.release(answered, lost);
        },
      },
    ),
  );
}

/** Nothing is released. */
const NOBODY: Caller<never> = { release: () => undefined };

/**
 * What an agent is given at the end, when nothing else happens, and its tenant did not leave so; and what its tenant left,
 * and it is not given.
 */
export async function notAsLeft({ tenant, history, shelf }: Scene, now: Date): Promise<Leak[]> {
  const wrong: Leak[] = [];
  for (const agentId of AGENTS) {
    const left = shelf
      .all()
      .filter(({ memory }) => memory.expiresAt === undefined || memory.expiresAt > now.toISOString())
      .filter(
        ({ name, memory: { namespace } }) => !history.isRemoved(name) && history.isAllowed({ agentId, namespace }),
      )
      .map(({ name }) => name);
    let given: readonly string[] = [];
    await tenant.attempts.run(NOBODY, async (attempt) => {
      given = namesIn(contentsOf((await attempt.recall(agentId, agentId, {})).memories)).names;
    });
    const differing = [...left, ...given].filter((name) => !left.includes(name) || !given.includes(name));
    wrong.push(
      ...differing.map((name) => ({ what: "answer" as const, agentId, of: "tenant" as const, name, late: 0 })),
    );
  }
  return wrong;
}

/** Whoever sees the text sees the memories that are named in it, and their namespaces. */
export function use(history: History, what: "prompt" | "answer", agentId: string, text: string): void {
  const { names, namespaces } = namesIn(text);
  history.used(what, agentId, namespaces, names);
}

const contentsOf = (memories: readonly { readonly content: string }[]) =>
  memories.map(({ content }) => content).join(" ");

export const rulesOf = (open: readonly boolean[]) =>
  AGENTS.flatMap((agentId, i) =>
    NAMESPACES.map((namespace, j) => ({ agentId, namespace, allowed: open[i * NAMESPACES.length + j] === true })),
  );
