// A memory as the model reads it.
import type { PromptData } from "#core/prompt/prompt.ts";
import { type Dates, datesIn } from "./dates.ts";
import { lookUp, TOPICS } from "./lexicon.ts";
import { stemOf, wordsOf } from "./words.ts";

export interface Note {
  /** Its place in the prompt, from 0. */
  readonly position: number;
  readonly namespace: string;
  readonly content: string;
  readonly pinned: boolean;
  readonly stems: readonly string[];
  readonly synonyms: readonly number[];
  readonly topics: number;
  readonly namespaceStems: readonly string[];
  /** The topics that the namespace's name stands for. */
  readonly namespaceTopics: number;
  /** Read when a question is about dates, which few are. */
  dates(): Dates;
}

/** What is read of a long memory: enough to say what it is about, and bounded. */
const READ_CHARACTERS = 2_000;

export function readNotes(memories: PromptData["memories"]): Note[] {
  const namespaces = new Map<string, NamespaceName>();
  return memories.map(({ namespace, content, pinned = false }, position) => {
    const name = namespaces.get(namespace) ?? readName(namespace);
    namespaces.set(namespace, name);
    const words = wordsOf(content.slice(0, READ_CHARACTERS));
    const stems = words.map(stemOf);
    const synonyms: number[] = [];
    let topics = 0;
    for (const stem of stems) {
      const entry = lookUp(stem);
      topics |= entry.topics;
      if (entry.synonym > 0) synonyms.push(entry.synonym);
    }
    return { position, namespace, content, pinned, stems, synonyms, topics, ...name, dates: () => datesIn(words) };
  });
}

type NamespaceName = Pick<Note, "namespaceStems" | "namespaceTopics">;

function readName(namespace: string): NamespaceName {
  const namespaceStems = wordsOf(namespace).map(stemOf);
  return { namespaceStems, namespaceTopics: namespaceStems.reduce((all, stem) => all | lookUp(stem).topics, 0) };
}

/** The namespaces of the notes, in the prompt's order. */
export const namespacesOf = (notes: readonly Note[]): string[] => [...new Set(notes.map(({ namespace }) => namespace))];

export const isAboutAllergy = ({ topics }: Note): boolean => (topics & TOPICS.allergy) !== 0;
