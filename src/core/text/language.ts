// Which of five languages a question is in, by its commonest words.

export type Language = "en" | "de" | "fr" | "es" | "it";

// The commonest words of each language: they say which one it is, and nothing about the subject of a question.
const FUNCTION_WORDS: Readonly<Record<Language, string>> = {
  en: `a about after again all also always am an and any anyone anybody anything are as at be because been before being but by can
    cannot cant could couldnt did didnt do does doesnt dont each ever every everything for from get give given go goes going got had has have
    havent having he her here hers him his how hows i id if ill im in into is isnt it its ive just let like lot many me might
    mine more most much must my myself need no not nothing now of off ok okay on one only or other our out over own please quite
    really shall she should so some somebody someone something still such than that thats the their them then there theres these they thing
    things this those though through to too under until up us very want was we well were what whats when whens where wheres whether
    which while who whom whos whose why will with without wont would yes yet you your youre yours`,
  de: `aber alle alles als am an auch auf aus bei bin bist bitte da darf das dass dein deine dem den der des dich die
    dir doch du ein eine einem einen einer eines er es etwas fur gegen geht gibt haben habe hab hast hat ich ihr im in irgendetwas
    ist ja kann kannst kein keine mal man mehr mein meine meinem meinen meiner mich mir mit nach nein nicht noch
    nur oder ohne schon sehr sein sich sie sind so soll sollte uber um und uns viel vom von vor wann war warum was
    weil wem wen wenn wer werden wie wieviel will wir wird wo wohin worauf zu zum zur mochte muss hallo danke guten steht mai freitag montag dienstag mittwoch donnerstag samstag sonntag`,
  fr: `ai ainsi alors as au aussi autre aux avant avec avez avoir bien ca car ce cela ces cet cette chez combien
    comment dans de depuis des deux dois doit donc du elle en es est et etais etait etre eu fait faut il ils j je
    jai la le les leur lui ma mais me meme mes moi mon ne ni nos notre nous on ou par parce pas peu peut peux plus pour pourquoi
    quand que quel quelle quelles quels qui quoi sa sais sans ses si son sont sous suis sur ta te tes toi ton tout toute
    tous tres tu un une vers vos votre vous y merci bonjour salut quelque chose vendredi lundi mardi mercredi jeudi samedi dimanche`,
  es: `a al algo algun alguna antes aqui asi aun aunque bien cada como con contra cual cuando cuanto cuanta de del desde donde
    dos el ella en entre era eres es esa ese eso esta estar estas este esto estoy fue ha hace hacer han hasta hay he la
    las le les lo los mas me mi mis mucho muy nada ni no nos o para pero por porque puede puedo que quien se ser si
    sin sobre son soy su sus tambien te tengo tiene tienes todo todos tu tus un una y ya yo hola gracias debo deberia quiero sabes viernes lunes martes miercoles jueves sabado domingo`,
  it: `a ai al alla alle anche ancora avere bene che chi ci come con cosa cui da dal dalla dei del della delle devo di
    dove e era fra gli ha hai hanno ho i il in io la le lei lo loro lui ma me mi mia mie miei mio molto ne nei nel nella
    no noi non o ogni per perche piu poco posso prima puo qual quale quali quando quanto quanta quello questa questo qui se sei senza
    si siamo sia sono sto su sua sul sulla suo te ti tra tu tua tuo tutti tutto un una uno vi voglio qualcosa ciao grazie venerdi lunedi martedi mercoledi giovedi sabato`,
};
const LANGUAGES = Object.keys(FUNCTION_WORDS) as Language[];

/** By word, the languages in which it is a function word. */
const LANGUAGES_OF = new Map<string, Language[]>();
for (const language of LANGUAGES) {
  for (const word of FUNCTION_WORDS[language].split(/\s+/)) {
    LANGUAGES_OF.set(word, [...(LANGUAGES_OF.get(word) ?? []), language]);
  }
}

/** In that language only: "car" is one in French. */
export const isFunctionWord = (word: string, language: Language): boolean =>
  LANGUAGES_OF.get(word)?.includes(language) ?? false;

const LEAST_SHARE = 0.25;

/** Undefined when too few of the words tell. */
export function languageOf(words: readonly string[], text: string): Language | undefined {
  const counts = countsOf(words, text);
  const best = likeliest(counts, LANGUAGES);
  return counts[best] > 0 && counts[best] >= words.length * LEAST_SHARE ? best : undefined;
}

/** The likeliest of several languages. The earlier one wins ties. */
export function likeliestLanguage(words: readonly string[], text: string, among: readonly Language[]): Language {
  return likeliest(countsOf(words, text), among);
}

function likeliest(counts: Readonly<Record<Language, number>>, among: readonly Language[]): Language {
  return among.reduce((best, language) => (counts[language] > counts[best] ? language : best));
}

/** How many of the words each language has. A word that two languages share counts for both. */
function countsOf(words: readonly string[], text: string): Record<Language, number> {
  const counts: Record<Language, number> = { en: 0, de: 0, fr: 0, es: 0, it: 0 };
  for (const word of words) for (const language of LANGUAGES_OF.get(word) ?? []) counts[language] += 1;
  if (!/[^ -~]/.test(text)) return counts;
  if (/[¿¡ñ]/u.test(text)) counts.es += 2;
  if (/[äöüß]/iu.test(text)) counts.de += 1;
  if (/[çœêèàù]/iu.test(text)) counts.fr += 0.5;
  return counts;
}
