// A small lexicon in five languages: words that mean the same (a line is one meaning), and topics. It is what lets "Was
// darf ich essen?" find a note about dinner. `names` are words that name a topic, `others` belong to it.
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import lexicon from "./lexicon.json" with { type: "json" };
import { stemOf } from "./stems.ts";

type Topic = keyof typeof lexicon.topics;

/** A bit for each. */
export const TOPICS = Object.fromEntries(Object.keys(lexicon.topics).map((topic, i) => [topic, 1 << i])) as Readonly<
  Record<Topic, number>
>;

export interface Entry {
  /** Words with the same number mean the same. 0 for none. */
  synonym: number;
  topics: number;
  /** The topics that the word itself names, as "food" does. */
  named: number;
}

const NO_ENTRY: Entry = { synonym: 0, topics: 0, named: 0 };

const LEXICON = new Map<string, Entry>();

for (const [i, line] of lexicon.synonyms.entries()) for (const word of line.split(" ")) entryOf(word).synonym ||= i + 1;

for (const [topic, { names, others }] of Object.entries(lexicon.topics)) {
  const bit = TOPICS[topic as Topic];
  for (const word of names.join(" ").split(" ")) {
    entryOf(word).topics |= bit;
    entryOf(word).named |= bit;
  }
  for (const word of others.join(" ").split(" ")) entryOf(word).topics |= bit;
}

// Words that mean the same belong to the same topics, in every language.
for (const line of lexicon.synonyms) {
  const entries = line.split(" ").map(entryOf);
  const topics = entries.reduce((all, entry) => all | entry.topics, 0);
  const named = entries.reduce((all, entry) => all | entry.named, 0);
  for (const entry of entries) Object.assign(entry, { topics, named });
}

function entryOf(word: string): Entry {
  return getOrInsert(LEXICON, stemOf(word), () => ({ ...NO_ENTRY }));
}

export const lookUp = (stem: string): Entry => LEXICON.get(stem) ?? NO_ENTRY;
