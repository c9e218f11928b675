// Many callers, some who revoke and grant, several replicas on one database, and a model that takes its time and notes
// what it gets. All that they see comes together in one history, in this process.
import { setTimeout as delay } from "node:timers/promises";
import { createClient } from "#contract/client/client.ts";
import { ProblemError } from "#contract/problem.ts";
import { readPrompt } from "#core/prompt/prompt.ts";
import { type Fault, startOpenAiStandIn, tooMany } from "#test/support/openai-stand-in/index.ts";
import { send } from "#test/support/send.ts";
import { createHistory, type History, type Leak } from "./history.ts";
import { type Replica, startFleet } from "./start-replicas.ts";

const AGENTS = ["a", "b", "companion"];
const NAMESPACES = ["x", "y", "z"];
const MODEL_MS = 500;
const FAULTS = 0.05;

export interface RaceOptions {
  readonly database: string;
  readonly replicas: number;
  readonly requests: number;
  /** The fence to take out, to see whether its absence is noticed. Then it stops at the first leak. */
  readonly without?: "send" | "release";
  readonly callers?: number;
  readonly seconds?: number;
  readonly onProgress?: (answered: number) => void;
}

export interface Raced {
  readonly answered: number;
  /** Told to ask again, because the policy kept changing. */
  readonly conflicts: number;
  /** The model failed, as it was told to now and then. */
  readonly failed: number;
  readonly changes: number;
  readonly prompts: number;
  readonly uses: number;
  readonly leaks: readonly Leak[];
}

export async function race(options: RaceOptions): Promise<Raced> {
  const { database, replicas: count, requests, without, callers = 100, seconds = 600, onProgress } = options;
  const history = createHistory();
  const model = await startOpenAiStandIn();
  const counts = { answered: 0, conflicts: 0, failed: 0, changes: 0, prompts: 0, asked: 0 };
  const deadline = performance.now() + seconds * 1_000;
  let hasLeaked = false;
  const isOver = () => hasLeaked || counts.asked >= requests || performance.now() > deadline;

  model.knobs.latencyMs = () => Math.random() * MODEL_MS;
  model.knobs.answer = ({ user }) => spelled(namespacesOf(user));
  model.knobs.onChat = ({ user }) => {
    counts.prompts += 1;
    // Now and then the next one meets a fault, and is tried again: each try passes the fence anew.
    if (Math.random() < FAULTS) model.knobs.next.push(pick<Fault>([{ kind: "reset" }, tooMany("0")]));
    history.used("prompt", readPrompt({ system: "", user }).query, namespacesOf(user));
  };

  const environment = { DATABASE_URL: database, MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "stand-in" };
  const fleet = await startFleet(count, { environment, ...(without !== undefined && { without }) });
  try {
    await prepare(fleet[0] as Replica);
    const changing = AGENTS.map(async (agentId) => {
      while (!isOver()) {
        await change(pick(fleet), history, agentId, model.baseUrl);
        counts.changes += 1;
        if (without !== undefined) hasLeaked = history.leaks().length > 0;
        await delay(Math.random() * 60);
      }
    });
    const calling = Array.from({ length: callers }, async () => {
      while (!isOver()) {
        counts.asked += 1;
        const outcome = await ask(pick(fleet), history, pick(AGENTS));
        counts[outcome] += 1;
        onProgress?.(counts.answered + counts.conflicts + counts.failed);
      }
    });
    await Promise.all([...changing, ...calling]);
  } finally {
    await Promise.all(fleet.map((replica) => replica.stop()));
    await model.close();
  }
  const { answered, conflicts, failed, changes, prompts } = counts;
  return { answered, conflicts, failed, changes, prompts, uses: history.uses, leaks: history.leaks() };
}

async function prepare({ url }: Replica): Promise<void> {
  const client = createClient({ baseUrl: url });
  for (const namespace of NAMESPACES) {
    await client.capture({ namespace, content: `text of ${namespace}`, sourceAgent: "s" });
    for (const agentId of AGENTS) await client.setAccess({ agentId, namespace, allowed: true });
  }
}

/** Half of the changes revoke, so that there is always something to lose. */
async function change({ url }: Replica, history: History, agentId: string, modelUrl: string): Promise<void> {
  const rule = { agentId, namespace: pick(NAMESPACES), allowed: Math.random() < 0.5 };
  const acknowledge = history.changing([rule]);
  await createClient({ baseUrl: url }).setAccess(rule);
  await everythingSeen(modelUrl);
  acknowledge();
}

/**
 * What was sent to this process before the acknowledgement may still wait to be read. It is read before what is sent
 * now, over the same doors: a round trip to our own stand-in, twice, because a new connection is read a turn later. Each
 * on a connection of its own: new ones are accepted one a turn, in their order, and those that stand overtake them.
 */
async function everythingSeen(modelUrl: string): Promise<void> {
  for (let i = 0; i < 2; i++) await send(`${modelUrl}/ping`);
}

async function ask({ url }: Replica, history: History, agentId: string): Promise<"answered" | "conflicts" | "failed"> {
  const client = createClient({ baseUrl: url });
  const used = (namespaces: Iterable<string>) => history.used("answer", agentId, namespaces);
  const options = Math.random() < 0.5 ? { onText: (piece: string) => used(spelledIn(piece)) } : {};
  // The question is the agent's name, for the model to know whose prompt it got.
  const asking =
    agentId === "companion"
      ? client.companion({ query: agentId }, options)
      : client.chat({ agentId, query: agentId }, options);
  try {
    const { answer, receipt } = await asking;
    used(spelledIn(answer));
    used(receipt.usedMemories.map(({ namespace }) => namespace));
    return "answered";
  } catch (error) {
    if (error instanceof ProblemError && error.code === "policy-changed") return "conflicts";
    // A stream that broke off is not tried again, and three faults in a row are an answer of their own.
    if (error instanceof ProblemError && error.code.startsWith("model-")) return "failed";
    throw error;
  }
}

const spelled = (namespaces: readonly string[]) => `I was told of ${namespaces.map((name) => `<${name}>`).join(" ")}.`;
const spelledIn = (text: string) => [...text.matchAll(/<(\w)>/g)].map(([, name = ""]) => name);
const namespacesOf = (user: string) => [
  ...new Set(readPrompt({ system: "", user }).memories.map(({ namespace }) => namespace)),
];
const pick = <T>(list: readonly T[]): T => list[Math.trunc(Math.random() * list.length)] as T;
