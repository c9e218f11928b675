// Timing side channel: whether the latency of an answer tells that blocked memories, or those of another tenant, have the
// words of a question. An attacker asks pairs of questions, one with words of blocked memories and one with words that
// occur nowhere, and tells them apart by a threshold on the latency, or on its difference in the pair: whichever is better.
// The threshold is chosen on one half of the pairs and scored on the other. The records are in memory where the system has
// such a folder: a disk's noise would hide what there is to see.
import { Agent, request } from "node:http";
import { createClient } from "#contract/client/client.ts";
import { TENANT_HEADER } from "#contract/paths.ts";
import type { Aim, Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { bestThreshold, guessedRight, type Sample } from "./support/latency-threshold.ts";
import { createRandom, pick, shuffle } from "./support/random.ts";
import { startService } from "./support/servers.ts";
import { quantile } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const PAIRS = 2_000;
const WARM_UP = 100;
/** Each question, in turns with the other of its pair. The shortest latency counts: all else is noise of the machine. */
const TIMES_ASKED = 5;
const WORDS_PER_MEMORY = 8;
const SEED = 2_026;
/** Memories that have the words of one question. What there is to see of one alone is a few microseconds. */
const MEMORIES_PER_QUESTION = 8;
const OPEN = "open";
const BLOCKED = "blocked";

interface Attacker {
  readonly id: string;
  readonly agentId: string;
  readonly what: string;
  /** The tenant that has the memories it may not see. It asks in `default`. */
  readonly holder?: string;
  readonly aim: Aim;
}

/** The agents that ask, and what each may see. The last one is the control: it shows that the attack can succeed. */
const AGENTS: readonly Attacker[] = [
  { id: "nothing", agentId: "sees-nothing", what: "an agent that may see nothing", aim: { under: 53 } },
  { id: "oneOfTwo", agentId: "sees-one", what: "an agent that may see one of two namespaces", aim: { under: 53 } },
  {
    id: "otherTenant",
    agentId: "sees-one",
    what: "an agent of another tenant",
    holder: "another",
    aim: { under: 53 },
  },
  { id: "control", agentId: "sees-both", what: "an agent that may see both (control)", aim: { atLeast: 60 } },
];

export const timing: Benchmark = {
  title: `whether the latency of ${PAIRS} pairs of answers tells that blocked memories, or another tenant's, have the question's words`,

  async run(progress) {
    const random = createRandom(SEED);
    const service = await startService(createTemporaryFolder({ inMemory: true }));
    try {
      const makeWord = wordMaker(random);
      const figures: Figure[] = [];
      for (const agent of AGENTS) {
        progress(`timing: capturing memories for ${agent.what}`);
        // New words for each agent: a cache that questions fill would otherwise know them all.
        const words = createWords(makeWord, random);
        await fill(service.url, words, agent.holder);
        figures.push(...(await attack(service.url, agent, words, random, progress)));
      }
      return {
        figures,
        notes: [
          `Seed ${SEED}. Each round chooses the threshold on one half of the pairs and is scored on the other half.`,
          "Guessing blindly is right in 50 %. With 1,000 pairs a half, chance alone moves a round by 1 or 2 %.",
        ],
      };
    } finally {
      await service.stop();
    }
  },
};

interface Words {
  /** The words of each blocked memory. No other memory has them. */
  readonly blocked: readonly (readonly string[])[];
  /** As many words of the same lengths, which occur nowhere. */
  readonly absent: readonly (readonly string[])[];
  /** Words of the memories that one of the agents may see. */
  readonly open: readonly string[];
}

/** Makes words that look like English ones, and none twice. */
function wordMaker(random: () => number): (syllables: number) => string {
  const made = new Set<string>();
  return (syllables) => {
    for (;;) {
      const syllable = () => pick([..."bcdfgklmnprstvw"], random) + pick([..."aeiou"], random);
      const word = `${Array.from({ length: syllables }, syllable).join("")}${pick([..."bdgkmnpt"], random)}`;
      if (made.has(word)) continue;
      made.add(word);
      return word;
    }
  };
}

function createWords(word: (syllables: number) => string, random: () => number): Words {
  const lengths = () => Array.from({ length: WORDS_PER_MEMORY }, () => pick([3, 4], random));
  const shapes = Array.from({ length: PAIRS + WARM_UP }, lengths);
  return {
    blocked: shapes.map((shape) => shape.map((syllables) => word(syllables))),
    absent: shapes.map((shape) => shape.map((syllables) => word(syllables))),
    open: Array.from({ length: 200 }, () => word(3)),
  };
}

async function fill(url: string, { blocked, open }: Words, tenant?: string): Promise<void> {
  const client = createClient({ baseUrl: url });
  if (tenant !== undefined) await client.createTenant({ id: tenant });
  const contents = blocked.flatMap((words) =>
    Array.from({ length: MEMORIES_PER_QUESTION }, (_, i) => `${words.join(" ")} ${i}.`),
  );
  await importAll(url, BLOCKED, contents, tenant);
  await importAll(
    url,
    OPEN,
    blocked.map((_, i) => `${open[i % open.length]} ${open[(7 * i + 3) % open.length]} ${i}.`),
  );
  for (const [agentId, namespace] of [
    ["sees-one", OPEN],
    ["sees-both", OPEN],
    ["sees-both", BLOCKED],
  ] as const) {
    await client.setAccess({ agentId, namespace, allowed: true });
  }
}

async function importAll(url: string, namespace: string, contents: readonly string[], tenant?: string): Promise<void> {
  const facts = contents.map((content) => JSON.stringify({ namespace, content, sourceAgent: "bench" }));
  const headers = { "content-type": "application/x-ndjson", ...(tenant !== undefined && { [TENANT_HEADER]: tenant }) };
  const imported = await fetch(`${url}/api/memories/import`, { method: "POST", headers, body: facts.join("\n") });
  const reply = await imported.text();
  if (!imported.ok) throw new Error(`The import was answered with ${imported.status}: ${reply}`);
}

async function attack(
  url: string,
  { id, agentId, what, aim }: Attacker,
  words: Words,
  random: () => number,
  progress: Progress,
): Promise<Figure[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const samples: Sample[][] = [];
  for (let i = 0; i < WARM_UP + PAIRS; i++) {
    if (i % 200 === 0) progress(`timing: ${what}, pair ${i} of ${WARM_UP + PAIRS}`);
    const common = pick(words.open, random);
    const questions = [
      { isBlocked: true, words: words.blocked[i] ?? [] },
      { isBlocked: false, words: words.absent[i] ?? [] },
    ];
    const pair = shuffle(questions, random).map(({ isBlocked, words: asked }) => {
      const body = JSON.stringify({ agentId, query: `What about ${common} ${asked.join(" ")}?` });
      return { isBlocked, body, ms: Number.POSITIVE_INFINITY };
    });
    for (let asked = 0; asked < TIMES_ASKED; asked++)
      for (const each of pair) each.ms = Math.min(each.ms, await latencyOf(url, agent, each.body));
    if (i >= WARM_UP) samples.push(pair);
  }
  agent.destroy();
  const mixed = shuffle(samples, random);
  const halves = [mixed.slice(0, PAIRS / 2), mixed.slice(PAIRS / 2)] as const;
  const score = (chosenOn: readonly Sample[][], scoredOn: readonly Sample[][]) => {
    const attacks = [absolute, relative].map((view) => {
      const threshold = bestThreshold(chosenOn.flatMap(view));
      return { view, threshold, right: guessedRight(chosenOn.flatMap(view), threshold) };
    });
    const { view, threshold } = attacks.reduce((best, each) => (each.right > best.right ? each : best));
    return 100 * guessedRight(scoredOn.flatMap(view), threshold);
  };
  const latencies = samples.flat().map(({ ms }) => ms);
  return [
    {
      id: `${id}Guessed`,
      what: `guessed right by ${what}`,
      unit: "%",
      rounds: [score(halves[0], halves[1]), score(halves[1], halves[0])],
      aim,
    },
    { id: `${id}P50`, what: `latency p50, ${what}`, unit: "ms", rounds: [quantile(latencies, 0.5)] },
  ];
}

const absolute = (pair: readonly Sample[]): readonly Sample[] => pair;

/** What a machine that others use slows down, it slows down for both. */
const relative = (pair: readonly Sample[]): Sample[] =>
  pair.map((sample, i) => ({ ...sample, ms: sample.ms - (pair[1 - i]?.ms ?? 0) }));

function latencyOf(url: string, agent: Agent, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const began = performance.now();
    const sent = request(`${url}/api/chat`, { agent, method: "POST", headers }, (response) => {
      response.resume();
      response.on("end", () => {
        const ms = performance.now() - began;
        if (response.statusCode === 200) resolve(ms);
        else reject(new Error(`A question was answered with ${response.statusCode}.`));
      });
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
