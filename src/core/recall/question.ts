// A question as the ranking reads it.
import { type CalendarDate, dateTerms, questionDates, weekdayTerms } from "#core/text/dates.ts";
import { termOf, wordSet, wordsOf } from "#core/text/words.ts";

export type Embed = (text: string) => Int8Array | undefined;

export interface QuestionTerm {
  readonly term: string;
  /** Says something about the subject: a date, or a word that is no question word. */
  readonly isContent: boolean;
}

export interface Question {
  /** Distinct, in the question's order. Scores are summed in this order, so that sums agree to the last bit. */
  readonly terms: readonly QuestionTerm[];
  readonly dates: readonly CalendarDate[];
  readonly vector: Int8Array | undefined;
  /** From the sentence model, if there is one and it was in time. */
  readonly sentenceVector?: Int8Array | undefined;
  /** "What do you know about me?" */
  readonly isAboutEverything: boolean;
}

/** More words cost more than they find. */
export const MAX_TERMS = 64;

export function readQuestion(query: string, now: Date, embed: Embed = () => undefined): Question {
  const words = wordsOf(query);
  const dates = questionDates(query, words, now);
  const terms = createTermList();
  for (const term of dateTerms(dates)) terms.add(term, true);
  for (const term of weekdayTerms(words)) terms.add(term, true);
  for (const word of words) {
    const ofQuestionWord = QUESTION_TERMS.get(word);
    terms.add(ofQuestionWord ?? termOf(word), ofQuestionWord === undefined);
  }
  return { terms: terms.list, dates, vector: embed(query), isAboutEverything: asksForEverything(words) };
}

/** Distinct terms. One that is content somewhere is content. */
function createTermList() {
  const list: QuestionTerm[] = [];
  return {
    list: list as readonly QuestionTerm[],
    add(term: string, isContent: boolean): void {
      for (let i = 0; i < list.length; i++) {
        const known = list[i] as QuestionTerm;
        if (known.term !== term) continue;
        if (isContent && !known.isContent) list[i] = { term, isContent };
        return;
      }
      if (list.length < MAX_TERMS) list.push({ term, isContent });
    },
  };
}

// Words that ask for a memory as such, in five languages.
const ABOUT_MEMORY = wordSet(`everything all know known remember memory memories summary summarize summarise overview
  alles weisst erinnerst erinnerungen zusammenfassung tout sais souviens souvenirs resume todo sabes recuerdas recuerdos
  resumen tutto sai ricordi riassunto sulla`);
const ABOUT_THE_PERSON = wordSet("me myself mich mir moi mi m");

/** Nothing but question words and words about memory, and at least one of the latter with nothing else to go by. */
function asksForEverything(words: readonly string[]): boolean {
  if (words.length === 0 || words.length > 12) return false;
  const isGeneral = words.every((word) => isQuestionWord(word) || ABOUT_MEMORY.has(word) || ABOUT_THE_PERSON.has(word));
  return isGeneral && words.some((word) => ABOUT_MEMORY.has(word));
}

// Question words: words of any question, which say little about its subject. They are weighed down and not deleted,
// because each can be the subject ("may" is a month, "can" holds beans, "will" is a name).

// Words that mean something else in English ("die", "war", "son") are left out of the other languages.
const WORDS = `
  a about above after again all am an and any anybody anyone anything are as at be because been before being below
  between both but by can could did do does doing done down during each ever every everyone everything few for from
  further get gets getting give go goes going got had has have having he her here hers herself him himself his how i if
  in into is it its itself just kind know let like long lot made make makes many may me might mine more most much must my
  myself name need no nor not now of off often on once one only or other our ours out over own please quite rather really
  remember said same say says see shall she should show since so some somebody someone something soon such take tell than
  that the their theirs them themselves then there these they thing things think this those through time to told too try
  type under until up upon us use used very want wants was way we well were what whatever when where whether which while
  who whom whose why will with within without would yes yet you your yours yourself

  aber als am auf aus bei bin bist da das dass dein deine dem den denn der des dich dir doch du ein eine einem einen einer
  es euch fur gibt hab habe haben hast hat ich ihr im ist ja kann kannst kein keine konnen mal mein meine meinem meinen
  meiner mich mir mit muss nach nicht noch nun nur ob oder schon sein seine sich sie sind soll uber und uns unser viel
  vom von vor wann warum weisst welche welchen welcher welches wem wen wenn wer werde werden wie wieder will wir wird wo
  wohin zu zum zur

  ai aux avec ce cela ces cet cette combien comme comment dans de des dois dont du elle elles en es est et etre eux fait
  faut il ils je la le les leur lui ma mais mes moi mon ne nos notre nous ou par parler pas peux peut plus pour pourquoi
  puis qu quand que quel quelle quelles quels qui quoi sa sais ses soit sommes sont sont suis sur ta te tes toi ton tu un
  une vos votre vous

  al algo alguien ante como con cual cuales cuando cuanto cuantos de del desde donde el ella ellas ellos en entre era eres
  es esa ese eso esta estan estas este esto estoy fue ha hacer han has hay he la las le les lo los mas me mi mis mucho muy
  nada ni nos o para pero por porque puede puedo que quien quienes sabes se ser si sin sobre somos soy su sus tambien te
  tengo ti tiene tienes tu tus un una unas uno unos y ya yo

  agli alla alle anche c che chi ci come cosa cui da dal dalla degli dei del della delle devo di dove e ed gli ha hai
  hanno ho il io la le lei lo loro ma mi mia mie miei mio ne nei nel nella noi non perche piu posso puo quale quali quando
  quanti quanto questa questo sai se sei si sono sta sto su sua sue sul sulla suo ti tra tu tua tue tuo un uno vi voi`;

/** Each with its term: half of a question's words are among these, and a look-up is faster than stemming. */
const QUESTION_TERMS: ReadonlyMap<string, string> = new Map(
  WORDS.match(/\S+/g)?.map((word): [string, string] => [word, termOf(word)]),
);

/** Of a word as `wordsOf` gives it. */
export const isQuestionWord = (word: string): boolean => QUESTION_TERMS.has(word);
