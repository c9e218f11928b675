// Whether a memory says what a fact says, or the opposite. It compares words, not meanings: what it is not sure of is new.
import { isQuestionWord } from "#core/recall/question.ts";
import { termOf, wordsOf } from "#core/text/words.ts";
import { expanded, inThirdPerson } from "./third-person.ts";

type Relation = "same" | "contradicts";

/** How two facts stand to each other; undefined when they have nothing to do with each other. */
export function relationOf(fact: string, memory: string, userName?: string): Relation | undefined {
  const [a, b] = [readFact(fact, userName), readFact(memory, userName)];
  if (a.terms.size === 0 || b.terms.size === 0) return undefined;
  const shared = [...a.terms].filter((term) => b.terms.has(term)).length;
  const isAlike = shared / (a.terms.size + b.terms.size - shared) >= 0.8;
  const isPart = shared === a.terms.size && shared >= 2;
  if (a.isNegative !== b.isNegative) return isAlike ? "contradicts" : undefined;
  const isSameNumbers = a.numbers.every((number) => b.numbers.some((other) => other === number));
  if ((isAlike || isPart) && isSameNumbers) return "same";
  return a.slot !== undefined && a.slot === b.slot ? "contradicts" : undefined;
}

const NEGATIVE = /\b(?:not|never|no longer|hates?|dislikes?|avoids?|stopped|quit)\b|n['’]t\b/iu;
const POLARITY =
  /\b(?:not|never|no longer|any ?more|do|does|did|hates?|dislikes?|avoids?|stopped|quit|likes?|loves?|enjoys?)\b|n['’]t\b/giu;

function readFact(text: string, userName: string | undefined) {
  const said = expanded(text);
  const third = /\b(?:I|[Mm]y|me)\b/u.test(said) ? (inThirdPerson(said, "the user") ?? said) : said;
  const plain = userName === undefined ? third : third.replaceAll(userName, "the user");
  const words = wordsOf(plain.replace(POLARITY, " ")).filter((word) => word !== "user" && !isQuestionWord(word));
  return {
    terms: new Set(words.map(termOf)),
    numbers: plain.match(/\d+(?:[-:.,]\d+)*/gu) ?? [],
    isNegative: NEGATIVE.test(plain),
    slot: slotOf(plain.toLowerCase()),
  };
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

function slotOf(text: string): string | undefined {
  for (const [i, slot] of SLOTS.entries()) {
    const found = slot.exec(text);
    if (found !== null) return `${i} ${(found[1] ?? "").replace(/^(?:the )?user$/u, "")} ${found[2] ?? ""}`;
  }
  return undefined;
}
