// Facts by rules, out of what somebody said in English: sentences about themselves, what is theirs, people that they named
// as theirs, and what they ask to be remembered. It is precise rather than complete: a sentence that the closed lists do
// not cover, that points elsewhere ("it", "you"), asks, guesses or may hold a secret gives nothing.
import { resolveDates } from "./resolve-dates.ts";
import { hasSecret, withoutSecrets } from "./secrets.ts";
import { sentencesOf } from "./sentences.ts";
import { asSentence, expanded, inThirdPerson, isVerbOfFact, wordsIn } from "./third-person.ts";
import * as known from "./vocabulary.ts";

export interface SaidMessage {
  readonly role: "user" | "assistant";
  readonly content: string;
  /** When it was said, in ISO 8601. Its date is that of the writer. */
  readonly at: string;
}

export interface ExtractedFact {
  readonly content: string;
  /** From 0 to 1. */
  readonly confidence: number;
  /** The places of the messages that say it. */
  readonly derivedFrom: readonly number[];
  /** The day that it is about, if it is about one. */
  readonly date?: string | undefined;
}

export interface ExtractionOptions {
  /** Whose messages are read. Of the assistant's, what they say to "you". */
  readonly roles?: readonly SaidMessage["role"][];
  readonly userName?: string | undefined;
}

const LONGEST = 300;
const MOST_FACTS = 50;

export function extractFacts(messages: readonly SaidMessage[], { roles = ["user"], userName }: ExtractionOptions = {}) {
  const facts = new Map<string, ExtractedFact>();
  const names = new Set<string>();
  for (const [place, { role, content, at }] of messages.entries()) {
    if (!roles.includes(role)) continue;
    for (const sentence of sentencesOf(withoutSecrets(content.normalize("NFC")))) {
      const said = role === "user" ? sentence : toFirstPerson(sentence);
      const fact = said === undefined ? undefined : factOf(said, { at, names, name: userName ?? "the user" });
      if (fact === undefined) continue;
      const same = facts.get(fact.content);
      const derivedFrom = [...new Set([...(same?.derivedFrom ?? []), place])];
      if (same !== undefined || facts.size < MOST_FACTS) facts.set(fact.content, { ...fact, derivedFrom });
    }
  }
  return [...facts.values()];
}

interface Context {
  readonly at: string;
  /** Of people that were called "my sister Anna". */
  readonly names: Set<string>;
  readonly name: string;
}

const OPENERS =
  /^(?:(?:hi|hello|hey|well|so|oh|yes|yeah|yep|no|nope|ok|okay|thanks|thank you|great|right|also|and|but|btw|by the way|fyi|anyway|actually|honestly|unfortunately|luckily|sadly|fun fact|for context|for the record|as i said|nowadays|these days|(?:just )?so you know|i (?:should|forgot to|wanted to|want to|have to) (?:mention|tell you|say|add) that|the thing is(?: that)?)(?:[,!:.…-]+\s*|\s+(?=i\b|my\b|the\b)))/iu;
const ASKED =
  /^(?:please |can you |could you )*(?:(?:remember|note|keep in mind|don['’]t forget|make a note)(?: that|(?: this)?:)|(?:remember|note|know)(?=\s+(?:i|my)\b))\s+(?=\S+\s\S+\s)/iu;
const NOT_PROSE = /["“”„«»<>{}[\]*#|\\=~^]|https?:|www\.|\?|:\s|;\s|\s[-–—]\s|\.\.|…|\b\w+\(\)/u;
/** "Anna, my sister": only names that follow the relation are read. */
const INTRODUCED = /\b[Mm]y ([\p{L}-]+),? (\p{Lu}\p{L}+)/gu;

function factOf(sentence: string, { at, names, name }: Context) {
  if (sentence.length > LONGEST || /\?["')\s]*$/u.test(sentence) || hasSecret(sentence)) return undefined;
  let [bare, before] = [sentence, ""];
  while (bare !== before) [bare, before] = [bare.replace(OPENERS, ""), bare];
  const isAsked = ASKED.test(bare);
  const whole = asFact(dateLast(expanded(bare.replace(ASKED, "")), at));
  const plain = ownClause(whole, names);
  if (NOT_PROSE.test(plain)) return undefined;
  const { text, date } = resolveDates(plain, at);
  const isDated =
    text !== plain || date !== undefined || /\b(?:1[0-2]|0?[1-9])(?::\d\d)? ?[ap]m\b|\b(?:19|20)\d\d\b/iu.test(text);
  const words = wordsIn(text).map((word) => word.toLowerCase());
  for (const [, relation = "", called = ""] of text.matchAll(INTRODUCED))
    if (known.RELATIONS.has(relation.toLowerCase())) names.add(called);
  if (words.length < 3 || !standsAlone(text, words, names)) return undefined;
  const certainty = certaintyOf(text, words, { isDated, names });
  if (certainty === undefined && !(isAsked && words.some(isVerbOfFact))) return undefined;
  const isFirst = words.some((word) => /^(?:i|me|my|mine|myself)$/u.test(word));
  const content = isFirst ? inThirdPerson(text, name) : asSentence(text);
  if (content === undefined) return undefined;
  const doubt = plain === whole ? 0 : 0.1;
  return { content, confidence: isAsked ? 0.95 : Math.round(((certainty ?? 0) - doubt) * 100) / 100, date };
}

/** Without a comma behind it, only what can be nothing but a date counts. */
const DATE_FIRST =
  /^([^,]{4,40}(?=,)|(?:yesterday|today|tomorrow)(?: \w+)?|(?:on|last|next|this) \w+(?: \w+)?),? ((?:I|My)\b.*?)([.!]*)$/iu;

/** "Last Friday I moved" as "I moved last Friday". */
function dateLast(text: string, at: string): string {
  const [, date = "", rest = "", end = ""] = DATE_FIRST.exec(text) ?? [];
  return date === "" || resolveDates(date, at).text === date ? text : `${rest} ${date}${end}`;
}

/** "I'm Tom" says a name, whatever follows. "I'm German" may be none: "The user is German" is true of both. */
const asFact = (text: string): string => text.replace(NAMED, "My name is $1");

const NAMED =
  /^(?:I am(?! \p{L}+(?:an|ish|ese|ch|ss|ek|ic|im|ab|sh|kh|i|u)\b)|I go by|[Cc]all me|[Pp]eople call me) (?!\p{L}+day\b)(\p{Lu}\p{Ll}+)(?:, please)?(?=$|[.!,]| and\b)/u;

const CONJUNCTION = /(?:,|\s[-–—])?\s(?:and|but|so|because|since|while|though|which)\s|,\s/giu;

/** Of a sentence that points elsewhere, the first clauses that do not: "I went to a concert, and it was great." */
function ownClause(text: string, names: ReadonlySet<string>): string {
  const pointsElsewhere = (words: readonly string[]) => words.some((word) => known.UNRESOLVED.has(stemOf(word)));
  const lower = (part: string) => wordsIn(part).map((word) => word.toLowerCase());
  const all = lower(text);
  if (!pointsElsewhere(all) || all.some((word) => known.UNCERTAIN.has(word))) return text;
  const parts = [...text.matchAll(CONJUNCTION)].map(({ index }) => text.slice(0, index));
  const own = parts.findLast((part) => lower(part).length > 3 && standsAlone(part, lower(part), names));
  return own ?? text;
}

/** "it's" points where "it" does. */
const stemOf = (word: string): string => word.replace(/'(?:s|re|ll|ve|d)$/u, "");

const ELLIPTIC = /^(?:I|My)\b.*\b(?:too|either|as well|so much|right now|at the moment|of course)[.!]?$/iu;

/** Whether all that it names is in it. */
function standsAlone(text: string, words: readonly string[], names: ReadonlySet<string>): boolean {
  if (ELLIPTIC.test(text) || words.some((word) => known.UNRESOLVED.has(stemOf(word)) || known.UNCERTAIN.has(word)))
    return false;
  if (/\b(?:that|one|ones|so|them|too)[.!]?$/iu.test(text) || /\bthat's\b/iu.test(text)) return false;
  const pronoun = words.findIndex((word) => known.PERSONS.has(stemOf(word)));
  if (pronoun < 0) return true;
  const earlier = words.slice(0, pronoun);
  return (
    earlier.some((word) => known.RELATIONS.has(word)) ||
    wordsIn(text)
      .slice(0, pronoun)
      .some((word) => names.has(word))
  );
}

/** Undefined: no fact. */
function certaintyOf(
  text: string,
  words: readonly string[],
  { isDated, names }: Pick<Context, "names"> & { readonly isDated: boolean },
): number | undefined {
  const [first, second = ""] = words;
  if (first === "i") return ofPredicate(words.slice(1), text, isDated);
  if (first === "my") {
    const verb = words.findIndex((word, i) => i > 1 && isVerbOfFact(word));
    const subject = words.slice(1, verb);
    const isList = text.slice(0, text.toLowerCase().indexOf(` ${words[verb]}`)).includes(",");
    const isPlain =
      verb > 1 && verb < 9 && verb < words.length - 1 && !isList && !subject.some((word) => known.PASSING.has(word));
    return isPlain ? (known.RELATIONS.has(second) || isDated || isAttribute(words) ? 0.85 : 0.7) : undefined;
  }
  return names.has(wordsIn(text)[0] ?? "") && words.some((word, i) => i > 0 && i < 4 && isVerbOfFact(word))
    ? 0.75
    : undefined;
}

const isAttribute = (words: readonly string[]): boolean =>
  words.some((word) => /^(?:name|favou?rite|birthday|job|address|anniversary|blood|height|weight|age)$/u.test(word));

function ofPredicate(all: readonly string[], text: string, isDated: boolean): number | undefined {
  const words = all.slice(all.findIndex((word) => !known.ADVERBS.has(word)));
  const [verb = "", next = "", third = ""] = words;
  if (words.length < 2 || next === "that") return undefined;
  switch (verb) {
    case "am":
    case "was":
      return ofState(words.slice(1), text, isDated);
    case "have":
    case "had":
      return ofHaving(words.slice(1), isDated, verb === "had");
    case "do":
    case "cannot":
      return next !== "" && words.some((word) => known.HABITS.has(word)) && words.length > 3 ? 0.8 : undefined;
    case "will":
      return isDated && third !== "" ? 0.7 : undefined;
    case "want":
    case "hope":
    case "need":
      return undefined;
  }
  const object = words.slice(1).find((word) => !/^(?:a|an|the|my|some|any)$/u.test(word)) ?? "";
  const isPassing = known.PASSING.has(object) || known.PASSING.has(words.at(-1) ?? "");
  if (known.HABITS.has(verb))
    return isPassing || verb === "mind" || (verb === "like" && next === "to") ? undefined : 0.85;
  if (known.EVENTS.has(verb) && !words.slice(1, 4).some((word) => known.PASSING.has(word))) return isDated ? 0.8 : 0.7;
  return known.DATED.has(verb) && isDated && words.length > 3 ? 0.6 : undefined;
}

/** Behind "I am". */
function ofState(all: readonly string[], text: string, isDated: boolean): number | undefined {
  const words = all.filter((word) => !known.ADVERBS.has(word));
  const [first = "", second = ""] = words;
  if (known.TRAITS.has(first)) return 0.9;
  if (known.DOINGS.has(first)) return words.length > 2 ? 0.75 : undefined;
  if (known.DATED_DOINGS.has(first)) return isDated && words.length > 2 ? 0.7 : undefined;
  if (/^\d{1,3}$/u.test(first))
    return second === "" || second === "years" || second === "weeks" || second === "cm" ? 0.9 : undefined;
  if (first === "a" || first === "an")
    return second !== "" && (!known.PASSING.has(second) || (second === "fan" && words[2] === "of")) ? 0.8 : undefined;
  if (first === "in" || first === "on")
    return /^(?:medication|insulin|antidepressants|blood|therapy|parental|maternity|paternity|sick)$/u.test(second)
      ? 0.75
      : undefined;
  return /\bI am (?:not |half |part |originally )?\p{Lu}\p{Ll}+(?:[.!]?$| and\b)/u.test(text) ? 0.8 : undefined;
}

/** Behind "I have" and "I had". */
function ofHaving(all: readonly string[], isDated: boolean, isPast: boolean): number | undefined {
  const words = all.filter((word) => !known.ADVERBS.has(word));
  const [first = "", second = ""] = words;
  if (words.slice(0, 4).some((word) => known.PASSING.has(word))) return undefined;
  if (first === "to") return isDated && words.length > 3 ? 0.65 : undefined;
  if (first === "been") return known.DOINGS.has(second) || known.TRAITS.has(second) || isDated ? 0.75 : undefined;
  if (known.EVENTS.has(first)) return words.length > 2 ? 0.75 : undefined;
  if (isPast && !isDated) return /^(?:surgery|cancer|covid|twins)$/u.test(second || first) ? 0.7 : undefined;
  const isThing =
    /^(?:a|an|two|three|four|five|six|several|twin|type|high|low|severe|chronic|asthma|diabetes|adhd|arthritis|migraines|insomnia|kids|children|twins|\d+)$/u;
  return isThing.test(first) ? 0.8 : undefined;
}

/** What an assistant says to "you" is about the user. What it says of itself is not. */
function toFirstPerson(sentence: string): string | undefined {
  if (/\b(?:I|I['’]\w+|me|my|mine|myself)\b/u.test(sentence)) return undefined;
  return sentence
    .replace(/\byou(?: are|['’]re)\b/giu, "I am")
    .replace(/\byou(?:['’]ve| have)\b/giu, "I have")
    .replace(/\byou were\b/giu, "I was")
    .replace(/\byour\b/giu, (word) => (word.startsWith("Y") ? "My" : "my"))
    .replace(/\byourself\b/giu, "myself")
    .replace(/\byou\b/giu, "I");
}
