// Race of answers against revokes and removals: many clients ask several replicas on one database, some of them through the
// gateway, while others revoke and grant, and forget, supersede and let memories expire. The
// clients and a slow stand-in for the model run in this process and record what they see in one history. With a fence
// taken out, the model answers only after a change of the policy, so that a leak depends neither on luck nor on speed.
import { setTimeout as delay } from "node:timers/promises";
import { type Client, createClient } from "#contract/client/client.ts";
import { PROBLEM_TYPE } from "#contract/media-types.ts";
import { type Problem, ProblemError } from "#contract/problem.ts";
import { readRequest } from "#core/prompt/gateway-request.ts";
import { readPrompt } from "#core/prompt/prompt.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { type Fault, startOpenAiStandIn, tooMany } from "#test/support/openai-stand-in/openai-stand-in.ts";
import { send } from "#test/support/send.ts";
import { createHistory, type History, type Leak } from "./history.ts";
import { forgetSessions } from "./lose-sessions.ts";
import { captureNamed, expire, forget, type NamedMemory, noteText, supersede } from "./race-memories.ts";
import { type Replica, startReplica } from "./start-replicas.ts";

const AGENTS = ["a", "b", "companion"];
const NAMESPACES = ["x", "y", "z"];
const LONGEST_MODEL_MS = 500;
/** Of actions that a lost session is to meet. */
export const LONGEST_ACTION_MS = 200;
/** Between two losses. */
const LONGEST_PAUSE_MS = 400;
/** Before a change that was refused is sent again. */
const LONGEST_RETRY_MS = 20;
/** How many of the questions ask for the memories, and not for an answer. */
const SHARE_OF_RECALLS = 0.2;
/** How many go through the gateway, half of them as streams. */
const SHARE_OF_COMPLETIONS = 0.3;
/** How many of them list memories, search, or read a blob. */
const SHARE_OF_READS = 0.1;

interface RaceOptions {
  readonly database: string;
  readonly replicas: number;
  /** The race ends after so many requests, changes of the policy, removals of memories, and losses. */
  readonly requests: number;
  readonly changes?: number;
  readonly removals?: number;
  readonly losses?: number;
  /** The fence to take out, to show that the checker notices. The race then ends at the first leak. */
  readonly without?: "send" | "release" | "lost" | "memory" | "expiry";
  /** Loses database sessions, or replicas, again and again while the race runs. It may put new replicas in their place. */
  readonly lose?: (database: string, replicas: Replica[], start: () => Promise<Replica>) => Promise<unknown>;
  /** How much longer an action behind the fence takes at most, so that a loss meets it. */
  readonly stretchMs?: number;
  /** Whether all questions go through the gateway, so that each leak has passed it. */
  readonly gateway?: boolean;
  /** So many clients ask at a time. */
  readonly callers?: number;
  /** The race ends after so many seconds in any case. */
  readonly seconds?: number;
  readonly onProgress?: (answered: number) => void;
}

interface RaceResult {
  readonly answered: number;
  /** Requests that were refused because the policy kept changing. */
  readonly conflicts: number;
  /** Requests that failed because of an injected fault of the model. */
  readonly failed: number;
  /** Requests that were refused because the database did not answer in time: on a busy machine that happens. */
  readonly unavailable: number;
  /** Answers that were cut off because the lock of the fence was lost while they were sent. */
  readonly cut: number;
  /** How often database sessions were lost. */
  readonly losses: number;
  readonly changes: number;
  readonly removals: number;
  readonly prompts: number;
  readonly uses: number;
  readonly leaks: readonly Leak[];
}

export async function revokeRace(options: RaceOptions): Promise<RaceResult> {
  const { database, replicas: count, requests, changes = 0, removals = 0, losses = 0, without, lose } = options;
  const { callers = 100, seconds = 600, stretchMs, onProgress, gateway = false } = options;
  const history = createHistory();
  const model = await startOpenAiStandIn();
  const counts = {
    ...{ answered: 0, conflicts: 0, failed: 0, unavailable: 0, cut: 0 },
    ...{ losses: 0, changes: 0, removals: 0, prompts: 0, asked: 0 },
  };
  const deadline = performance.now() + seconds * 1_000;
  let hasLeaked = false;
  const wanted = { asked: requests, changes, removals, losses };
  const isDone = () => Object.entries(wanted).every(([what, count]) => counts[what as keyof typeof wanted] >= count);
  const isOver = () => hasLeaked || isDone() || performance.now() > deadline;

  let nextChange = Promise.withResolvers<void>();
  const announceChange = () => {
    nextChange.resolve();
    nextChange = Promise.withResolvers<void>();
  };
  model.knobs.latencyMs = async () => {
    if (without === undefined || without === "lost") return Math.random() * LONGEST_MODEL_MS;
    if (!isOver()) await nextChange.promise;
    return 0;
  };
  // After a fault the adapter retries, and every try has to pass the fence.
  const shareOfFaults = without === "send" ? 0.5 : 0.05;
  model.knobs.answer = ({ user }) => `I was told of ${contentsOf(readAny(user).memories)}.`;
  model.knobs.onChat = ({ user }) => {
    counts.prompts += 1;
    if (Math.random() < shareOfFaults) model.knobs.next.push(pick<Fault>([{ kind: "reset" }, tooMany("0")]));
    const { query, memories } = readAny(user);
    noteText(history, "prompt", query, contentsOf(memories));
  };

  const environment = { DATABASE_URL: database, MODEL_BASE_URL: model.baseUrl, MODEL_NAME: "stand-in" };
  const changed = { ...(without !== undefined && { without }), ...(stretchMs !== undefined && { stretchMs }) };
  const start = () => startReplica({ environment, ...changed });
  const replicas = await Promise.all(Array.from({ length: count }, start));
  const admin = clientOfServing(replicas);
  try {
    const shelf = await prepare(admin);
    if (without === "lost") await forgetSessions(database);
    const losing = async () => {
      while (lose !== undefined && !isOver()) {
        await lose(database, replicas, start);
        counts.losses += 1;
        await delay(Math.random() * LONGEST_PAUSE_MS);
      }
    };
    const changing = AGENTS.map(async (agentId) => {
      while (!isOver()) {
        await change(admin, history, agentId, model.baseUrl);
        counts.changes += 1;
        announceChange();
        if (without !== undefined) hasLeaked = history.leaks().length > 0;
        await delay(Math.random() * 60);
      }
    });
    // Where a fence of the policy is taken out, revokes alone make answers stale: the leak is found sooner.
    const removes = without === undefined || without === "memory" || without === "expiry";
    const removing = (removes ? NAMESPACES : []).map(async (namespace) => {
      while (!isOver()) {
        await remove(admin, history, { shelf, namespace, modelUrl: model.baseUrl });
        counts.removals += 1;
        announceChange();
        if (without !== undefined) hasLeaked = history.leaks().length > 0;
        await delay(Math.random() * 60);
      }
    });
    /** Without a loss, no answer is cut off. */
    const cutOff = (error: unknown): "cut" => {
      if (lose === undefined || error instanceof ProblemError) throw error;
      return "cut";
    };
    const calling = Array.from({ length: callers }, async () => {
      while (!isOver()) {
        counts.asked += 1;
        const outcome = await ask(pick(replicas), history, { shelf, agentId: pick(AGENTS), gateway }).catch(cutOff);
        counts[outcome] += 1;
        onProgress?.(counts.asked);
      }
    });
    const changesDone = Promise.all([...changing, ...removing]).then(announceChange);
    await Promise.all([changesDone, losing(), ...calling]);
  } finally {
    await Promise.all(replicas.map((replica) => replica.stop()));
    await model.close();
  }
  const { asked: _, ...results } = counts;
  return { ...results, uses: history.uses, leaks: history.leaks() };
}

/** What is compressed has arrived some turns of the event loop before it can be read, and would count as sent later. */
const fetchPlain: typeof fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("accept-encoding", "identity");
  return fetchWithoutKeepAlive(input, { ...init, headers });
};

const clientOf = ({ url }: Replica): Client => createClient({ baseUrl: url, fetch: fetchPlain });

export const GONE: Problem = {
  type: "urn:portcullis:problem:records-unavailable",
  title: "Service Unavailable",
  status: 503,
  code: "records-unavailable",
  detail: "The replica has ended.",
};

/** Sends each request to some replica that serves. One that ended meanwhile has answered that it is not available. */
function clientOfServing(replicas: readonly Replica[]): Client {
  const host = "http://any";
  return createClient({
    baseUrl: host,
    async fetch(input, init) {
      const replica = pick(replicas.filter(({ isServing }) => isServing()));
      try {
        return await fetchWithoutKeepAlive(String(input).replace(host, replica.url), init);
      } catch (error) {
        if (replica.isServing()) throw error;
        return new Response(JSON.stringify(GONE), { status: GONE.status, headers: { "content-type": PROBLEM_TYPE } });
      }
    },
  });
}

/** The memory of each namespace that is to be removed next. */
type Shelf = Map<string, NamedMemory>;

async function prepare(client: Client): Promise<Shelf> {
  const shelf: Shelf = new Map();
  for (const namespace of NAMESPACES) {
    shelf.set(namespace, await captureNamed(client, namespace));
    for (const agentId of AGENTS) await client.setAccess({ agentId, namespace, allowed: true });
  }
  return shelf;
}

interface Place {
  readonly shelf: Shelf;
  readonly namespace: string;
  readonly modelUrl: string;
}

async function remove(client: Client, history: History, { shelf, namespace, modelUrl }: Place): Promise<void> {
  const removal = { client, history, insist, receive: () => receiveEverything(modelUrl) };
  const old = shelf.get(namespace) as NamedMemory;
  const removeAs = pick([forget, supersede, "expire"] as const);
  if (removeAs === "expire") await expire(removal, namespace);
  else shelf.set(namespace, await removeAs(removal, old));
}

/** Revokes or grants, each half of the time, so that there is always something to revoke. */
async function change(client: Client, history: History, agentId: string, modelUrl: string): Promise<void> {
  const rule = { agentId, namespace: pick(NAMESPACES), allowed: Math.random() < 0.5 };
  const acknowledge = history.changing([rule]);
  await insist(() => client.setAccess(rule));
  await receiveEverything(modelUrl);
  acknowledge();
}

/** What a request is refused with that can be sent again, when it is idempotent. */
const REFUSALS = ["records-unavailable", "overloaded", "policy-changed"];

/** For what is idempotent: when the service could not do it, or could not say so, it is sent again. */
export async function insist<T>(request: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!REFUSALS.some((code) => isProblem(error, code))) throw error;
      await delay(Math.random() * LONGEST_RETRY_MS);
    }
  }
}

const isProblem = (error: unknown, code: string) => error instanceof ProblemError && error.code.startsWith(code);

/**
 * Waits until this process has read all that was sent to it before. What was sent before the acknowledgement may still
 * be unread, and would count as sent after it. A round trip to the stand-in, on a new connection, is read after it. Two
 * round trips, because the event loop accepts a new connection one turn before it reads from it. New connections, because
 * they are accepted in their order, one a turn, and an existing connection would overtake them.
 */
async function receiveEverything(modelUrl: string): Promise<void> {
  for (let i = 0; i < 2; i++) await send(`${modelUrl}/ping`);
}

type Outcome = "answered" | "conflicts" | "failed" | "unavailable" | "cut";

interface Asked {
  readonly shelf: Shelf;
  readonly agentId: string;
  readonly gateway: boolean;
}

async function ask(replica: Replica, history: History, { shelf, agentId, gateway }: Asked): Promise<Outcome> {
  const client = clientOf(replica);
  const used = (text: string) => noteText(history, "answer", agentId, text);
  const options = Math.random() < 0.5 ? { onText: used } : {};
  // The question is the agent's id: it tells the model for whom the prompt is.
  const chat = () =>
    agentId === "companion"
      ? client.companion({ query: agentId }, options)
      : client.chat({ agentId, query: agentId }, options);
  try {
    if (!gateway && Math.random() < SHARE_OF_READS) {
      noteText(history, "page", "", await read(replica, pick([...shelf.values()])));
      return "answered";
    }
    if (gateway || Math.random() < SHARE_OF_COMPLETIONS) {
      await complete(replica, agentId, used);
      return "answered";
    }
    if (Math.random() < SHARE_OF_RECALLS) {
      used(contentsOf((await client.recall({ agentId, query: agentId })).memories));
      return "answered";
    }
    const { answer, receipt } = await chat();
    used(answer);
    used(receipt.usedMemories.map(({ snippet }) => snippet).join(" "));
    return "answered";
  } catch (error) {
    if (isProblem(error, "policy-changed")) return "conflicts";
    // While sessions are lost, requests pile up, and a busy service refuses some.
    if (isProblem(error, "records-unavailable") || isProblem(error, "overloaded")) return "unavailable";
    // The adapter does not retry a stream that broke off, and gives up after three faults in a row.
    if (isProblem(error, "model-")) return "failed";
    throw error;
  }
}

/** Through the gateway. What a stream has sent counts as soon as it is here, whether it ends well or not. */
async function complete(replica: Replica, agentId: string, used: (text: string) => void): Promise<void> {
  const stream = Math.random() < 0.5;
  const response = await fetchWithoutKeepAlive(`${replica.url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer agent:${agentId}` },
    body: JSON.stringify({ model: "stand-in", messages: [{ role: "user", content: agentId }], stream }),
  });
  if (!stream || !response.ok) {
    const { error, choices } = (await response.json()) as Completion;
    if (error !== undefined) throw new ProblemError({ ...GONE, ...error, status: response.status });
    return used(choices?.[0]?.message?.content ?? "");
  }
  let [unread, said, isDone] = ["", "", false];
  for await (const piece of (response.body ?? ReadableStream.from([])).pipeThrough(new TextDecoderStream())) {
    const blocks = `${unread}${piece}`.split("\n\n");
    unread = blocks.pop() ?? "";
    for (const data of blocks.map((block) => block.replace(/^data: /, ""))) {
      isDone ||= data === "[DONE]";
      if (!data.startsWith("{")) continue;
      const { error, choices } = JSON.parse(data) as Completion;
      if (error !== undefined) throw new ProblemError({ ...GONE, ...error });
      said += choices?.[0]?.delta?.content ?? "";
      // A name may come in several pieces, and counts when it is whole.
      const end = said.lastIndexOf(">") + 1;
      used(said.slice(0, end));
      said = said.slice(end);
    }
  }
  if (!isDone) throw new Error("A stream of the gateway broke off.");
}

interface Completion {
  readonly error?: Pick<Problem, "code">;
  readonly choices?: readonly {
    readonly message?: { readonly content?: string };
    readonly delta?: { readonly content?: string };
  }[];
}

/** A prompt, or the last message of a request through the gateway. */
function readAny(user: string): Pick<ReturnType<typeof readPrompt>, "query" | "memories"> {
  if (user.startsWith("<memories>")) return readPrompt({ system: "", user });
  const { lines, question } = readRequest({ model: "", messages: [{ role: "user", content: user }] });
  return { query: question, memories: lines.map((line) => JSON.parse(line)) };
}

/** A list, the result of a search, or a blob, as the admin reads it. */
async function read(replica: Replica, { storeRef, name }: NamedMemory): Promise<string> {
  const client = clientOf(replica);
  const how = pick(["list", "search", "blob"] as const);
  if (how === "list") return contentsOf((await client.listMemories()).memories);
  if (how === "search") return contentsOf((await client.listMemories({ q: name })).memories);
  return (await fetchPlain(`${replica.url}/v1/blobs/${storeRef}`)).text();
}

const contentsOf = (memories: readonly { readonly content: string }[]) =>
  memories.map(({ content }) => content).join(" ");
const pick = <T>(list: readonly T[]): T => list[Math.trunc(Math.random() * list.length)] as T;
