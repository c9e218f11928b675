// The words of a text without case, accents and apostrophes, in their order. For rules that look for fixed words, such
// as those for emergencies. The recall index has a tokenizer of its own.

const WORDS = /[\p{L}\p{N}]+/gu;
const ACCENTS = /\p{M}/gu;
// French and Italian elisions: "l'allergie" and "c'è" are two words. "can't" and "I'm" stay one.
const ELISIONS = /(?<![\p{L}\p{N}])([cdjlmnst]|qu|un|all|com|dall|dell|dov|nell|quand|sull)['’](?=\p{L})/giu;
const APOSTROPHES = /['’]/g;

export function foldedWords(text: string): string[] {
  const joined = text.includes("'") || text.includes("’") ? joinApostrophes(text) : text;
  return wordsOfAscii(joined.toLowerCase()) ?? wordsOfUnicode(joined);
}

function joinApostrophes(text: string): string {
  return text.replace(ELISIONS, "$1 ").replace(APOSTROPHES, "");
}

/** The words of lower-case ASCII, or undefined when the text has other characters. A loop, because it is the hot path. */
function wordsOfAscii(text: string): string[] | undefined {
  const words: string[] = [];
  let start = -1;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) return undefined;
    const isWord = (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
    if (isWord && start === -1) start = at;
    if (!isWord && start !== -1) {
      words.push(text.slice(start, at));
      start = -1;
    }
  }
  if (start !== -1) words.push(text.slice(start));
  return words;
}

function wordsOfUnicode(text: string): string[] {
  const folded = text.normalize("NFKD").replace(ACCENTS, "").toLowerCase().replaceAll("ß", "ss").normalize("NFKC");
  return folded.match(WORDS) ?? [];
}
