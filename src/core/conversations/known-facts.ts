// Whether a memory says what a fact says, or the opposite. It compares words, not meanings: what it is not sure of is new.
import { isQuestionWord } from "#core/recall/question.ts";
import { termOf, wordsOf } from "#core/text/words.ts";
import { expanded, inThirdPerson } from "./third-person.ts";

type Relation = "same" | "contradicts";

/** How two facts stand to each other; undefined when they have nothing to do with each other. */
export function relationOf(fact: string, memory: string, userName?: string): Relation | undefined {
  const [a, b] = [readFact(fact, userName), readFact(memory, userName)];
  if (a.terms.size === 0 || b.terms.size === 0) return undefined;
  if (a.key === b.key) return "same";
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length;
  const isAlike = shared / (a.terms.size + b.terms.size - shared) >= 0.8;
  const isPart = shared === a.terms.size && shared >= 2;
  if (a.isNegative !== b.isNegative) return isAlike ? "contradicts" : undefined;
  const isSameNumbers = a.numbers.every((number) => b.numbers.some((other) => other === number));
  if ((isAlike || isPart) && isSameNumbers) return "same";
  return a.slot !== undefined && a.slot === b.slot ? "contradicts" : undefined;
}

/** Of a fact, the same for all that certainly say it: whoever has no more than a digest of this knows a paraphrase. */
export const keyOf = (fact: string): string => readFact(fact, undefined).key;

const NEGATIVE = /\b(?:not|never|no longer|hates?|dislikes?|avoids?|stopped|quit)\b|n['’]t\b/iu;
const POLARITY =
  /\b(?:not|never|no longer|any ?more|do|does|did|hates?|dislikes?|avoids?|stopped|quit|likes?|loves?|enjoys?)\b|n['’]t\b/giu;

function readFact(text: string, userName: string | undefined) {
  const said = expanded(text);
  const third = /\b(?:I|[Mm]y|me)\b/u.test(said) ? (inThirdPerson(said, "the user") ?? said) : said;
  const plain = userName === undefined ? third : third.replaceAll(userName, "the user");
  const numbers = plain.match(/\d+(?:[-:.,]\d+)*/gu) ?? [];
  const isNegative = NEGATIVE.test(plain);
  const { slot, value = plain } = slotOf(plain.toLowerCase());
  const terms = termsOf(plain);
  // Where no word tells facts apart, all of them do.
  const parts = terms.size > 0 ? [...termsOf(value)].sort() : wordsOf(plain);
  return { terms, numbers, isNegative, slot, key: JSON.stringify([slot, isNegative, numbers, parts]) };
}

function termsOf(text: string): ReadonlySet<string> {
  const words = wordsOf(text.replace(POLARITY, " "));
  return new Set(words.filter((word) => word !== "user" && !isQuestionWord(word)).map(termOf));
}

const NOW = "(?:now |currently |also )?";
/** What has one value at a time. The groups name it. */
const SLOTS: readonly RegExp[] = [
  new RegExp(`^(.*?) ?${NOW}(?:lives?|is living|moved|has moved|relocated) (?:in|to|at) `, "u"),
  new RegExp(`^(.*?) ?${NOW}(?:works?|is working) (?:at|for) `, "u"),
  new RegExp(`^(.*?) ?${NOW}(?:works?|is working) as `, "u"),
  /^(.*?) is \d{1,3}(?: years old)?\.?$/u,
  /^(.+?)'s ((?:favou?rite|preferred) [\w -]+?|name|birthday|address|e-?mail(?: address)?|phone(?: number)?|job|title|employer|salary|budget|height|weight|blood type|shoe size|time ?zone|native language|nationality|anniversary) (?:is|was) /u,
  /^(.+?'s [\w -]+?) (?:is|leaves|departs|starts|begins|arrives|takes place|was moved|has moved|is scheduled) (?:for |to |on |at )?(?:on )?\d/u,
];

function slotOf(text: string): { readonly slot?: string; readonly value?: string } {
  for (const [i, pattern] of SLOTS.entries()) {
    const found = pattern.exec(text);
    if (found === null) continue;
    const slot = `${i} ${(found[1] ?? "").replace(/^(?:the )?user$/u, "")} ${found[2] ?? ""}`;
    return { slot, value: text.slice(found[0].length) };
  }
  return {};
}
