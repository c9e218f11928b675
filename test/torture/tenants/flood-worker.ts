// The thread of floods.ts: prepares a round of a flood when it is told to, sends it when it is told to, and says how it went.
import { parentPort, workerData } from "node:worker_threads";
import { createClient } from "#contract/client/client.ts";
import { IMPORT_LINES } from "#contract/schemas/resources.ts";
import { runPacedLoad } from "../../../bench/support/paced-load.ts";

export const FLOODS = ["chats", "forgets", "import"] as const;
export type FloodName = (typeof FLOODS)[number];

interface FloodSize {
  readonly seconds: number;
  readonly forgets: number;
  readonly importBytes: number;
}

export type FloodOrder = "prepare" | "send";
/** What the thread says when an order is done; once it was sent, how it went. */
export interface FloodMessage {
  readonly sentence?: string;
}

export interface FloodTarget {
  readonly name: FloodName;
  readonly url: string;
  /** Of an admin of the flooded tenant. */
  readonly key: string;
  readonly size: FloodSize;
}

export const AGENT = "assistant";
export const NAMESPACE = "notes";
export const QUESTION = { agentId: AGENT, query: "What is the door code?" };

const SATURATING = 64;
const TIMES = 4;
const SATURATION_SECONDS = 3;
const AT_A_TIME = 50;
/** What is prepared is no flood. */
const FEW = 8;
const WORD_LETTERS = 12;
const WORDS_OF_A_LINE = 550;

/** Sends the flood, and gives a sentence about it. */
type Send = () => Promise<string>;

const PREPARATIONS: Readonly<Record<FloodName, (target: FloodTarget) => Send | Promise<Send>>> = {
  async chats({ url, key, size: { seconds } }) {
    const headers = { authorization: `Bearer ${key}` };
    const load = { url, path: "/api/chat", bodies: [JSON.stringify(QUESTION)], headers };
    const saturate = () => runPacedLoad({ ...load, connections: SATURATING, seconds: SATURATION_SECONDS });
    saturated ??= (await saturate()).perSecond(200);
    const rate = TIMES * saturated;
    return async () => {
      const result = await runPacedLoad({ ...load, connections: TIMES * SATURATING, rate, seconds });
      const [offered, admitted] = [rate, result.perSecond(200)].map(Math.round);
      return `${offered} chats/s for ${seconds} s, ${admitted} admitted, ${result.share(503).toFixed(0)} % refused`;
    };
  },

  async forgets({ url, key, size: { forgets } }) {
    const client = createClient({ baseUrl: url, bearer: key });
    const facts = Array.from({ length: forgets }, (_, i) => `Something to forget, ${i}.`);
    const ids = await inParallel(facts, FEW, async (content) => {
      const { memory } = await client.capture({ namespace: NAMESPACE, content, sourceAgent: AGENT });
      return memory.memoryId;
    });
    return async () => {
      const began = performance.now();
      await inParallel(ids, AT_A_TIME, (memoryId) => client.forgetMemory({ memoryId }));
      return `${forgets} forgets in ${secondsSince(began)} s, ${AT_A_TIME} at a time`;
    };
  },

  /** No word comes twice, so that the index grows with every one. */
  import: (target) => async () => {
    const { importBytes } = target.size;
    const began = performance.now();
    let bytes = 0;
    while (bytes < importBytes) bytes += await importSome(target, importBytes - bytes);
    return `${(bytes / 1e6).toFixed(0)} MB, ${word} distinct words, in ${secondsSince(began)} s`;
  },
};

/** Chats in a second, once they were measured. */
let saturated: number | undefined;
let word = 0;

function lineOfNewWords(): string {
  const words = Array.from({ length: WORDS_OF_A_LINE }, () => `w${(word++).toString(36)}`.padEnd(WORD_LETTERS, "x"));
  return `${JSON.stringify({ namespace: NAMESPACE, content: words.join(" "), sourceAgent: AGENT })}\n`;
}

/** As much as one import takes. */
async function importSome({ url, key }: Pick<FloodTarget, "url" | "key">, most: number): Promise<number> {
  let [bytes, lines] = [0, 0];
  const body = new ReadableStream({
    pull(controller) {
      if (bytes >= most || lines === IMPORT_LINES) return controller.close();
      const line = new TextEncoder().encode(lineOfNewWords());
      bytes += line.length;
      lines += 1;
      controller.enqueue(line);
    },
  });
  const headers = { "content-type": "application/x-ndjson", authorization: `Bearer ${key}` };
  const response = await fetch(`${url}/api/memories/import`, { method: "POST", headers, body, duplex: "half" });
  const replies = await response.text();
  if (!response.ok || replies.includes('"problem"')) throw new Error(`An import failed: ${replies.slice(0, 500)}`);
  return bytes;
}

const secondsSince = (began: number): string => ((performance.now() - began) / 1_000).toFixed(1);

async function inParallel<T, R>(all: readonly T[], atATime: number, job: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = all.values();
  const work = async () => {
    for (const each of rest) results.push(await job(each));
  };
  await Promise.all(Array.from({ length: atATime }, work));
  return results;
}

let send: Send | undefined;
const target: FloodTarget = workerData;
parentPort?.on("message", async (order: FloodOrder) => {
  const say = (message: FloodMessage) => parentPort?.postMessage(message);
  if (order === "send") return say({ sentence: (await send?.()) ?? "" });
  send = await PREPARATIONS[target.name](target);
  say({});
});
