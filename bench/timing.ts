// Timing side channel: whether the latency of an answer tells that blocked memories, or those of another tenant, have the
// words of a question. An attacker asks pairs of questions, one with words of blocked memories and one with words that occur nowhere, and tells
// them apart by a threshold on the latency. The threshold is chosen on one half of the pairs and scored on the other.
import { Agent, request } from "node:http";
import { createClient } from "#contract/client/client.ts";
import type { Aim, Benchmark, Figure, Progress } from "./support/benchmark.ts";
import { bestThreshold, guessedRight, type Sample } from "./support/latency-threshold.ts";
import { createRandom, pick, shuffle } from "./support/random.ts";
import { startService } from "./support/servers.ts";
import { quantile } from "./support/statistics.ts";
import { createTemporaryFolder } from "./support/temporary-folder.ts";

const PAIRS = 2_000;
const WARM_UP = 400;
const WORDS_PER_MEMORY = 8;
const SEED = 2_026;
/** Pairs of memories that are captured together: few enough that none is refused on a slow machine. */
const AT_ONCE = 20;
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
    const service = await startService(createTemporaryFolder());
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
          "Guessing blindly is right in 50 %. With 2,000 answers a half, chance alone moves a round by 1 or 2 %.",
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
  const holder = createClient({ baseUrl: url, tenant });
  const capture = (namespace: string, content: string) =>
    (namespace === BLOCKED ? holder : client).capture({ namespace, content, sourceAgent: "bench" });
  for (let i = 0; i < blocked.length; i += AT_ONCE) {
    const batch = blocked.slice(i, i + AT_ONCE);
    await Promise.all([
      ...batch.map((words) => capture(BLOCKED, `${words.join(" ")}.`)),
      ...batch.map((_, j) => capture(OPEN, `${open[(i + j) % open.length]} ${open[(i + 7 * j) % open.length]}.`)),
    ]);
  }
  for (const [agentId, namespace] of [
    ["sees-one", OPEN],
    ["sees-both", OPEN],
    ["sees-both", BLOCKED],
  ] as const) {
    await client.setAccess({ agentId, namespace, allowed: true });
  }
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
    const pair: Sample[] = [];
    for (const { isBlocked, words: asked } of shuffle(questions, random)) {
      const body = JSON.stringify({ agentId, query: `What about ${common} ${asked.join(" ")}?` });
      pair.push({ isBlocked, ms: await latencyOf(url, agent, body) });
    }
    if (i >= WARM_UP) samples.push(pair);
  }
  agent.destroy();
  const mixed = shuffle(samples, random);
  const halves = [mixed.slice(0, PAIRS / 2).flat(), mixed.slice(PAIRS / 2).flat()] as const;
  const score = (chosenOn: readonly Sample[], scoredOn: readonly Sample[]) =>
    100 * guessedRight(scoredOn, bestThreshold(chosenOn));
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
