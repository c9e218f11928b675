// Where a fact belongs, by words and topics of the namespaces' names, descriptions and memories.
import type { Memory } from "#core/memory.ts";
import { isQuestionWord } from "#core/recall/question.ts";
import { lookUp, TOPICS } from "#core/text/lexicon.ts";
import { stemOf, wordsOf } from "#core/text/stems.ts";

export interface NamespaceChoice {
  readonly name: string;
  readonly description?: string | undefined;
}

const HEALTH = TOPICS.medicine | TOPICS.symptom | TOPICS.allergy | TOPICS.sleep | TOPICS.exercise | TOPICS.mood;
/** Whatever else these are about, they are about health first. */
const MEDICAL = TOPICS.medicine | TOPICS.symptom | TOPICS.allergy;

export function chooseNamespace(
  content: string,
  namespaces: readonly NamespaceChoice[],
  memories: readonly Pick<Memory, "namespace" | "content">[] = [],
): string | undefined {
  const fact = read(content);
  let [best, most] = [undefined as string | undefined, 0];
  for (const { name, description = "" } of namespaces) {
    const near = memories.filter((memory) => memory.namespace === name && shared(fact, read(memory.content)) >= 2);
    const fit = 3 * fitOf(fact, read(name)) + fitOf(fact, read(description)) + Math.min(2, near.length);
    if (fit > most) [best, most] = [name, fit];
  }
  return best;
}

interface Read {
  readonly stems: ReadonlySet<string>;
  readonly topics: number;
}

function read(text: string): Read {
  const stems = new Set(
    wordsOf(text)
      .filter((word) => word !== "user" && !isQuestionWord(word))
      .map(stemOf),
  );
  let topics = 0;
  for (const stem of stems) topics |= lookUp(stem).topics;
  return { stems, topics };
}

function fitOf(fact: Read, place: Read): number {
  const isMedical = (fact.topics & MEDICAL) !== 0 && (place.topics & (TOPICS.health | MEDICAL)) !== 0;
  const isHealthy = (fact.topics & (HEALTH | TOPICS.health)) !== 0 && (place.topics & TOPICS.health) !== 0;
  return 2 * shared(fact, place) + bitsIn(fact.topics & place.topics) + (isMedical ? 3 : isHealthy ? 1 : 0);
}

const shared = (a: Read, b: Read): number => [...a.stems].filter((stem) => b.stems.has(stem)).length;

function bitsIn(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
