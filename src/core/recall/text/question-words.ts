// Question words: words of any question, which say little about its subject. They are weighed down and not deleted,
// because each can be the subject ("may" is a month, "can" holds beans, "will" is a name).
import { termOf } from "./tokenizer.ts";

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

/** Of a word as the tokenizer gives it. */
export function isQuestionWord(word: string): boolean {
  return QUESTION_TERMS.has(word);
}

/** The term of a question word; undefined for other words. */
export function questionTerm(word: string): string | undefined {
  return QUESTION_TERMS.get(word);
}
