// WordPiece tokenizer of BERT, uncased. A word becomes its longest prefix that the vocabulary has, then the longest
// continuation ("##ing"), and so on; one that cannot be divided so gives nothing.

/** Longer texts are cut, so that a hostile one costs no more than this. */
const MAX_CODE_UNITS = 8_192;
export const MAX_TOKENS = 512;
const MAX_WORD_CHARACTERS = 100;

/** These characters need no normalisation but that of case: printable ASCII, tab and line ends. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
// The steps of BERT's normalizer. Tab and line ends are control characters that stay.
const REMOVED = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
const ACCENTS = /\p{Mn}/gu;
const SPACES = /\s/gu;
/** Chinese characters and punctuation marks are words of their own. These are the ranges that BERT was trained with. */
const WORDS_OF_THEIR_OWN =
  /[\p{P}\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

/** Of a normalised text: all punctuation marks and spaces that are not ASCII stand between spaces of ASCII. */
const WORDS = /[0-9a-z\u0080-\uffff]+|[!-~]/g;

/** `[PAD]`, `[UNK]`, `[unused7]` and the like, which stand for no text. */
export const isSpecialToken = (token: string): boolean => token.length > 1 && token.startsWith("[");

/** Of a vocabulary with one token a line. */
export function createWordPiece(vocabulary: string) {
  // The positions of the tokens that begin a word, and of those that continue one, which are without their "##".
  const [beginnings, continuations] = [createTokens(), createTokens()];
  // With `forEach` every start takes 20 ms less than with an iterator.
  vocabulary.split("\n").forEach((token, position) => {
    if (isSpecialToken(token)) return;
    if (token.length > 2 && token.startsWith("##")) continuations.add(token.slice(2), position);
    else beginnings.add(token, position);
  });

  /** Appends the tokens of a word. Returns the new count, or `count` if the word is unknown. */
  function divide(word: string, tokens: Int32Array, count: number): number {
    let at = 0;
    let found = count;
    while (at < word.length) {
      if (found === MAX_TOKENS) return found;
      const { positions, longestAt } = at === 0 ? beginnings : continuations;
      let end = Math.min(word.length, at + longestAt(word, at));
      let token = positions.get(word.slice(at, end));
      while (token === undefined && --end > at) token = positions.get(word.slice(at, end));
      if (token === undefined) return count;
      tokens[found++] = token;
      at = end;
    }
    return found;
  }

  return {
    /** Writes the positions of the text's tokens into `tokens`, which has room for MAX_TOKENS. Returns how many there are. */
    tokenize(text: string, tokens: Int32Array): number {
      const bounded = text.length > MAX_CODE_UNITS ? text.slice(0, MAX_CODE_UNITS) : text;
      const plain = PLAIN.test(bounded) ? bounded.toLowerCase() : normalize(bounded);
      let count = 0;
      for (const word of plain.match(WORDS) ?? []) {
        if (count === MAX_TOKENS) break;
        if (!isTooLong(word)) count = divide(word, tokens, count);
      }
      return count;
    },
  };
}

/** A power of two. Pairs of small letters have each a place of their own. */
const PLACES = 2 ** 13;

/** How long tokens are depends on their first two characters: of a word that is none, few parts need to be looked up. */
function createTokens() {
  const positions = new Map<string, number>();
  const longest = new Uint16Array(PLACES).fill(1);
  const placeOf = (text: string, at: number) => (31 * text.charCodeAt(at) + text.charCodeAt(at + 1)) & (PLACES - 1);
  return {
    positions,
    add(token: string, position: number): void {
      positions.set(token, position);
      const place = placeOf(token, 0);
      if (token.length > (longest[place] as number)) longest[place] = token.length;
    },
    longestAt: (word: string, at: number): number => longest[placeOf(word, at)] as number,
  };
}

function normalize(text: string): string {
  return text
    .replace(REMOVED, "")
    .normalize("NFD")
    .replace(ACCENTS, "")
    .toLowerCase()
    .replace(WORDS_OF_THEIR_OWN, " $& ")
    .replace(SPACES, " ");
}

/** BERT counts characters, and a character outside the basic plane takes two code units. */
const isTooLong = (word: string): boolean =>
  word.length > MAX_WORD_CHARACTERS && Array.from(word).length > MAX_WORD_CHARACTERS;
