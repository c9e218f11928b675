// The thread of floods.ts: prepares a flood, says so, sends it, and says how it went.
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

/** What the thread says: first that it begins, then how it went. */
export type FloodMessage = { readonly ended: false } | { readonly ended: true; readonly sentence: string };

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
const WORD_LETTERS = 12;
const WORDS_OF_A_LINE = 550;

/** Sends the flood, and gives a sentence about it. */
type Send = () => Promise<string>;

const PREPARATIONS: Readonly<Record<FloodName, (target: FloodTarget) => Send | Promise<Send>>> = {
  async chats({ url, key, size: { seconds } }) {
    const headers = { authorization: `Bearer ${key}` };
    const load = { url, path: "/api/chat", bodies: [JSON.stringify(QUESTION)], headers };
    const saturating = await runPacedLoad({ ...load, connections: SATURATING, seconds: SATURATION_SECONDS });
    const rate = TIMES * saturating.perSecond(200);
    return async () => {
      const result = await runPacedLoad({ ...load, connections: TIMES * SATURATING, rate, seconds });
      const [offered, admitted] = [rate, result.perSecond(200)].map(Math.round);
      return `${offered} chats/s for ${seconds} s, ${admitted} admitted, ${result.share(503).toFixed(0)} % refused`;
    };
  },

  async forgets({ url, key, size: { forgets } }) {
    const client = createClient({ baseUrl: url, bearer: key });
    const facts = Array.from({ length: forgets }, (_, i) => `Something to forget, ${i}.`);
    const ids = await inParallel(facts, async (content) => {
      const { memory } = await client.capture({ namespace: NAMESPACE, content, sourceAgent: AGENT });
      return memory.memoryId;
    });
    return async () => {
      const began = performance.now();
      await inParallel(ids, (memoryId) => client.forgetMemory({ memoryId }));
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

async function inParallel<T, R>(all: readonly T[], job: (each: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const rest = all.values();
  const work = async () => {
    for (const each of rest) results.push(await job(each));
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return results;
}

if (parentPort !== null) {
  const say = (message: FloodMessage) => parentPort?.postMessage(message);
  const target: FloodTarget = workerData;
  const send = await PREPARATIONS[target.name](target);
  say({ ended: false });
  say({ ended: true, sentence: await send() });
}
