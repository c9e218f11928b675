// Second person: "I am allergic to nuts", "The user is allergic to nuts" and "Takes 10 mg every morning" as sentences that
// begin with "You". Only closed lists of words are changed, and only in a single English sentence whose subject is
// certain. Whatever else a memory says stays a quotation, so that no text of a memory can pass for the model's advice.
import { wordSet } from "#core/text/words.ts";
import lists from "./words.json" with { type: "json" };

const LONGEST = 240;
// A second sentence, a quotation, a list or anything that is not plain prose.
const NOT_PLAIN = /[.!?…:;]\s|["“”„«»<>{}[\]()*#`|\\/\n\r]|[?!…]$/u;
const WORDS = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*(?:['’]\p{L}[\p{L}\p{M}]*)*/gu;
const FIRST_WORD = new RegExp(`^${WORDS.source}`, "u");

// Who else the sentence may be about, and words that instruct.
const { otherPeople, addressed, directives } = lists.secondPerson;
const NOT_TURNED = wordSet([...otherPeople, ...addressed, ...directives]);

const pairsIn = (list: string) => list.split("|").map((pair) => pair.split(" ") as [string, string]);

const FIRST_PERSON: ReadonlyMap<string, string> = new Map(
  pairsIn("i you|i'm you're|i've you've|i'd you'd|i'll you'll|me you|my your|mine yours|myself yourself"),
);

// Verbs of a person's life in the third person. A noun of the same form is excluded where it could begin a note.
const VERBS: ReadonlyMap<string, string> = new Map([
  ...pairsIn("is are|was were|has have|does do|goes go|flies fly|carries carry|studies study"),
  ...pairsIn("teaches teach|watches watch"),
  ...[...wordSet(lists.secondPerson.verbs)].map((verb) => [`${verb}s`, verb] as const),
]);
// Of these, what can follow "and" as a verb and hardly as a noun: "food and drinks" must stay as it is.
const ONLY_VERBS = wordSet(lists.secondPerson.onlyVerbs);
const NOT_AFTER_VERB = wordSet("and or of for from is was has can will");
const JOINING = wordSet("and or but");
const BEGINNINGS = new Set([...FIRST_PERSON.keys(), ...VERBS.keys(), "the", "user", "user's"]);
const USERS = /(?:^|\bthe )user['’]s(?![\p{L}\p{M}])/giu;
const USER = /(?:^|\bthe )user(?![\p{L}\p{M}\p{N}'’])/giu;

/** The sentence in the second person, or undefined when that is not certain to keep its meaning. */
export function inSecondPerson(content: string): string | undefined {
  const text = content.trim();
  // Most notes begin with none of these words, and end here.
  if (text.length > LONGEST || !BEGINNINGS.has(keyOf(FIRST_WORD.exec(text)?.[0] ?? ""))) return undefined;
  if (NOT_PLAIN.test(text)) return undefined;
  const found = text.match(WORDS)?.map(keyOf) ?? [];
  if (found.some((word) => NOT_TURNED.has(word))) return undefined;
  const [first = "", second = ""] = found;
  if (second === "") return undefined;
  const turned = text.replace(USERS, "your").replace(USER, "you");
  if (FIRST_PERSON.has(first)) return turned === text ? sentence(fromFirstPerson(text)) : undefined;
  if (found.some((word) => FIRST_PERSON.has(word))) return undefined;
  if (turned.startsWith("you")) return fromThirdPerson(turned);
  if (turned !== text || !isBareVerb(found, text)) return undefined;
  return fromThirdPerson(`you ${text.charAt(0).toLowerCase()}${text.slice(1)}`);
}

const keyOf = (word: string): string => word.toLowerCase().replace("’", "'");

function fromFirstPerson(text: string): string {
  let previous = "";
  return text.replace(WORDS, (word) => {
    const key = keyOf(word);
    const verb = previous === "i" && (key === "am" || key === "was") ? VERBS.get(key === "am" ? "is" : key) : undefined;
    previous = key;
    return verb ?? FIRST_PERSON.get(key) ?? word;
  });
}

/** `text` has "you" and "your" for the user, and verbs in the third person. */
function fromThirdPerson(text: string): string | undefined {
  const found = text.match(WORDS)?.map(keyOf) ?? [];
  // "and lives" may be said of either.
  const hasOthers = found.includes("your");
  if (found.some((word, i) => isDoubtful(word, found[i - 1] ?? "", hasOthers))) return undefined;
  let previous = "";
  return sentence(
    text.replace(WORDS, (word) => {
      const key = keyOf(word);
      const isVerb = previous === "you" || (JOINING.has(previous) && ONLY_VERBS.has(key));
      previous = key;
      return isVerb ? (VERBS.get(key) ?? word) : word;
    }),
  );
}

/** After "you", and after "and" if it ends in -s, a word is a verb that we know, or we do not know what it is. */
function isDoubtful(word: string, before: string, hasOthers: boolean): boolean {
  if (before === "you") return !VERBS.has(word);
  return JOINING.has(before) && (hasOthers ? VERBS.has(word) : /[^s]s$/.test(word) && !ONLY_VERBS.has(word));
}

/** A note that begins with its verb is about the person: "Takes 10 mg", but not "Flies are in the kitchen". */
function isBareVerb(found: readonly string[], text: string): boolean {
  const [first = "", second = ""] = found;
  if (!VERBS.has(first) || !/^\p{Lu}/u.test(text)) return false;
  if (found.some((word) => word === "are" || word === "were")) return false;
  // Programs and machines run, work and start, too.
  const isOfMachines = first === "runs" || first === "works" || first === "starts" || first === "uses";
  if (isOfMachines && (second === "on" || second === "under" || second === "with" || second === "as")) return false;
  return !NOT_AFTER_VERB.has(second);
}

function sentence(text: string): string {
  const capitalised = `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
  return /[.]$/.test(capitalised) ? capitalised : `${capitalised}.`;
}
