// How well recall finds the evidence for the questions of LoCoMo, beside plain BM25 with stop words. Nothing is learnt
// from the questions.
import { loadWordVectors } from "#adapters/meaning/load-word-vectors.ts";
import { minilmEmbedder } from "#adapters/meaning/minilm/minilm-embedder.ts";
import { readConfig } from "#config.ts";
import { readEnvironment } from "#environment.ts";
import type { Benchmark, Figure } from "../support/benchmark.ts";
import { type Conversation, readExtracted, readFacts, readTurns } from "./conversations.ts";
import { plainBm25, portcullis, talkBefore } from "./rankers.ts";
import { relevanceFigures } from "./relevance-quality.ts";
import { DEPTHS, type Quality, qualityOf } from "./retrieval-quality.ts";

/** At k = 5 and 10, on the five conversations of the development half. */
const AIMS = {
  table: {
    turns: new Map([
      [5, 0.69],
      [10, 0.77],
    ]),
    facts: new Map([
      [5, 0.75],
      [10, 0.81],
    ]),
  },
  minilm: {
    turns: new Map([
      [5, 0.72],
      [10, 0.8],
    ]),
    facts: new Map([
      [5, 0.76],
      [10, 0.82],
    ]),
  },
} as const;

/** `folder` holds locomo-dev.json and locomo-dev-facts.json. EMBEDDING=minilm adds the sentence model. */
export function locomo(folder: string): Benchmark {
  const { embedding } = readConfig(readEnvironment());
  return {
    title: `evidence found for LoCoMo's questions, EMBEDDING=${embedding}, beside plain BM25 with stop words`,
    async run(progress) {
      const { embed } = await loadWordVectors();
      const sentences = embedding === "minilm" ? await minilmEmbedder() : undefined;
      const figures: Figure[] = [];
      const corpora = { turns: readTurns(folder), facts: readFacts(folder) };
      for (const [name, conversations] of Object.entries(corpora) as ["turns" | "facts", Conversation[]][]) {
        progress(`locomo: ${name}, plain BM25`);
        const plain = await qualityOf(conversations, plainBm25);
        let done = 0;
        const ours = await qualityOf(conversations, (conversation) => {
          progress(`locomo: ${name}, conversation ${++done} of ${conversations.length}`);
          return portcullis(conversation, embed, sentences);
        });
        const talked = await qualityOf(conversations, (each) => portcullis(each, embed, sentences, talkBefore(each)));
        figures.push(...figuresOf(name, "AfterAnother", talked));
        figures.push(...relevanceFigures(name, conversations, embed));
        figures.push(...figuresOf(name, "Portcullis", ours, AIMS[embedding][name]), ...figuresOf(name, "BM25", plain));
      }
      const extracted = {
        observations: corpora.facts,
        rules: readExtracted(folder, "rules"),
        script: readExtracted(folder, "script"),
      };
      for (const [name, conversations] of Object.entries(extracted)) {
        progress(`locomo: facts of ${name}, of all evidence`);
        const ours = await qualityOf(conversations, (each) => portcullis(each, embed, sentences), { ofAll: true });
        const entries = conversations.reduce((sum, each) => sum + each.entries.length, 0);
        figures.push({ id: `${name}Facts`, what: `${name}: facts`, rounds: [entries] });
        figures.push(...figuresOf(name, "OfAll", ours));
      }
      await sentences?.close();
      return {
        figures,
        notes: [
          "Before the floor and the folding of near-duplicates. R@k: share of the evidence among the first k.",
          "AfterAnother: with another question and its answer before it, as `messages`.",
          "OfAll: also of the evidence that no fact rests on. observations: LoCoMo's own facts; rules: those of the built-in extractor; script: every sentence that is no question, with its speaker and its dates.",
        ],
      };
    },
  };
}

function figuresOf(
  corpus: string,
  who: string,
  quality: Quality,
  aims: ReadonlyMap<number, number> = new Map(),
): Figure[] {
  const id = `${corpus}${who}`;
  return [
    ...DEPTHS.map((depth): Figure => {
      const aim = aims.get(depth);
      const rounds = [quality.recallAt.get(depth) ?? 0];
      return {
        id: `${id}R${depth}`,
        what: `${corpus}: ${who} R@${depth}`,
        rounds,
        ...(aim && { aim: { atLeast: aim } }),
      };
    }),
    { id: `${id}Mrr`, what: `${corpus}: ${who} MRR`, rounds: [quality.meanReciprocalRank] },
  ];
}
