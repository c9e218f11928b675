// Load generator: captures, memories that are forgotten, superseded or expire, policy changes, questions with and without streaming, anchors, and a few resets, over HTTP.
// The journal has every request before it is sent, and its acknowledgement when it has come.
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "#contract/client/client.ts";
import { ProblemError } from "#contract/problem.ts";
import type { Body } from "#contract/routes.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import type { Capture, Journal, Receipt } from "./journal.ts";
import type { Random } from "./seeded-random.ts";

const AGENTS = ["a", "b", "assistant", "companion"];
const NAMESPACES = ["x", "y", "__proto__", "health", "diet"];
const WORKERS = 6;
/** The longest pause between two requests of a worker. */
const PAUSE_MS = 40;
/** The share of captures that are sent twice at once. The same fact is one memory. */
const REPEATED = 0.3;
/** The shares of captures that live for a second, and that have a key. */
const EXPIRING = 0.15;
const KEYED = 0.3;
const REQUEST_TIMEOUT_MS = 60_000;

export interface Load {
  /** Sends nothing more, and resolves when every request has ended. */
  stop(): Promise<void>;
  /** How many requests failed, by the code of their problem. Without a problem, the code is `connection`. */
  readonly problems: ReadonlyMap<string, number>;
}

type Step = (client: Client, journal: Journal, random: Random) => Promise<void>;

let facts = 0;

const capture: Step = async (client, journal, random) => {
  const expires = random.isBelow(EXPIRING);
  const named = random.isBelow(KEYED) ? { key: `key ${facts}` } : {};
  await captureAs(client, journal, random, {
    fact: {
      namespace: random.pick(NAMESPACES),
      sourceAgent: random.pick(AGENTS),
      ...named,
      ...(expires && { ttl: 1 }),
    },
    known: { ...named, ...(expires && { expires }) },
  });
};

/** In place of another: by its id, or by its key. */
const supersede: Step = async (client, journal, random) => {
  const old = takenFrom(journal, random);
  if (old === undefined) return;
  const { namespace, sourceAgent, key, memoryId = "" } = old;
  const named = key !== undefined && random.isBelow(0.5) ? { key } : {};
  await captureAs(client, journal, random, {
    fact: { namespace, sourceAgent, ...("key" in named ? named : { supersedes: memoryId }) },
    known: { supersedes: old.content, ...named },
  });
};

const forget: Step = async (client, journal, random) => {
  const taken = takenFrom(journal, random);
  if (taken === undefined) return;
  const { content, memoryId = "", storeRef } = taken;
  const entry: Journal["forgets"][number] = { asked: journal.tick(), content, memoryId, storeRef };
  journal.forgets.push(entry);
  await client.forgetMemory({ memoryId });
  entry.acknowledged = journal.tick();
};

/** A memory that was acknowledged, for one request alone. */
function takenFrom({ captures }: Journal, random: Random): Capture | undefined {
  const free = captures.filter(({ memoryId, expires, isTaken }) => memoryId !== undefined && !expires && !isTaken);
  const taken = free.length === 0 ? undefined : random.pick(free);
  if (taken !== undefined) taken.isTaken = true;
  return taken;
}

interface Drafted {
  readonly fact: Omit<Body<"capture">, "content" | "sourceAgent"> & Pick<Capture, "sourceAgent">;
  /** What the journal must know of it. */
  readonly known: Pick<Capture, "key" | "supersedes" | "expires">;
}

async function captureAs(client: Client, journal: Journal, random: Random, { fact, known }: Drafted): Promise<void> {
  const { namespace, sourceAgent } = fact;
  const content = `fact ${++facts} "${"é\n".repeat(random.below(20))}"`;
  const entry: Capture = { asked: journal.tick(), namespace, sourceAgent, content, ...known };
  journal.captures.push(entry);
  const send = () => client.capture({ ...fact, content });
  // What is superseded is not current when the request comes again.
  const isRepeated = fact.supersedes === undefined && random.isBelow(REPEATED);
  const replies = await Promise.all(isRepeated ? [send(), send()] : [send()]);
  const memories = replies.map(({ memory }) => memory);
  const [last, ...earlier] = memories.toSorted((a, b) => (a.memoryId < b.memoryId ? 1 : -1));
  const { memoryId, storeRef, expiresAt } = last ?? {};
  // On a busy machine a memory that lives for a second may have expired before the same fact came again.
  const hasExpired = (memory: { readonly expiresAt?: string }) =>
    memory.expiresAt !== undefined && Date.parse(memory.expiresAt) <= Date.now();
  const isSame = earlier.every((memory) => memory.memoryId === memoryId || hasExpired(memory));
  const found = isSame ? { memoryId, storeRef, ...(expiresAt !== undefined && { expiresAt }) } : { disagreed: true };
  Object.assign(entry, { acknowledged: journal.tick(), ...found });
}

const set: Step = async (client, journal, random) => {
  const rule = { agentId: random.pick(AGENTS), namespace: random.pick(NAMESPACES), allowed: random.isBelow(0.6) };
  const entry: Journal["sets"][number] = { asked: journal.tick(), rule };
  journal.sets.push(entry);
  const reply = await client.setAccess(rule);
  Object.assign(entry, { acknowledged: journal.tick(), reply });
};

const ask: Step = async (client, journal, random) => {
  const entry: Journal["questions"][number] = { asked: journal.tick() };
  journal.questions.push(entry);
  const agentId = random.pick(AGENTS);
  const query = `What about fact ${random.below(facts + 1)}?`;
  const options = random.isBelow(0.5) ? { onText: () => undefined } : {};
  const asking =
    agentId === "companion" ? client.companion({ query }, options) : client.chat({ agentId, query }, options);
  const { receipt } = await asking;
  Object.assign(entry, { acknowledged: journal.tick(), receipt });
};

const anchor: Step = async (client, journal, random) => {
  const issued = receiptFrom(journal, random);
  if (issued === undefined) return;
  const isForeign = random.isBelow(0.3);
  const receipt = isForeign ? { ...issued, answerId: `another's ${journal.anchors.length}` } : issued;
  const entry: Journal["anchors"][number] = { asked: journal.tick(), receipt, issued: !isForeign };
  journal.anchors.push(entry);
  const { blobId } = await client.anchorReceipt({ receipt });
  Object.assign(entry, { acknowledged: journal.tick(), blobId });
};

const anchorOnLedger: Step = async (client, journal, random) => {
  const receipt = receiptFrom(journal, random);
  if (receipt === undefined) return;
  const entry: Journal["onLedger"][number] = { asked: journal.tick(), receipt };
  journal.onLedger.push(entry);
  const reply = await client.anchorOnChain({ receipt });
  Object.assign(entry, { acknowledged: journal.tick(), reply });
};

/** One at a time: of two unacknowledged resets, the check could not tell which one took effect. */
const reset: Step = async (client, journal) => {
  if (journal.resets.some(({ acknowledged }) => acknowledged === undefined)) return;
  const entry: Journal["resets"][number] = { asked: journal.tick() };
  journal.resets.push(entry);
  await client.resetDemo();
  entry.acknowledged = journal.tick();
};

function receiptFrom({ questions }: Journal, random: Random): Receipt | undefined {
  return random.pick(questions.length === 0 ? [undefined] : questions)?.receipt;
}

const STEPS: readonly (readonly [weight: number, step: Step])[] = [
  [35, capture],
  [10, supersede],
  [10, forget],
  [20, set],
  [24, ask],
  [8, anchor],
  [12, anchorOnLedger],
  [1, reset],
];
const ALL = STEPS.flatMap(([weight, step]) => Array.from({ length: weight }, () => step));

export function startLoad(url: string, journal: Journal, random: Random): Load {
  let isOver = false;
  const problems = new Map<string, number>();
  const fetchInTime: typeof fetch = (input, init) =>
    fetchWithoutKeepAlive(input, { ...init, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  const client = createClient({ baseUrl: url, fetch: fetchInTime });

  async function work(): Promise<void> {
    while (!isOver) {
      try {
        await random.pick(ALL)(client, journal, random);
      } catch (error) {
        // The caller judges connection errors: it knows whether it killed the service.
        const code = error instanceof ProblemError ? error.code : "connection";
        problems.set(code, (problems.get(code) ?? 0) + 1);
      }
      await delay(random() * PAUSE_MS);
    }
  }

  const working = Promise.all(Array.from({ length: WORKERS }, work));
  return {
    problems,
    async stop() {
      isOver = true;
      await working;
    },
  };
}
