// WordPiece tokenizer of BERT, uncased. A word becomes its longest prefix that the vocabulary has, then the longest
// continuation ("##ing"), and so on; one that cannot be divided so gives nothing. The vocabulary is a trie in typed
// arrays, so that the longest match is one walk and no text makes a string or an object.

/** Longer texts are cut, so that a hostile one costs no more than this. */
const MAX_CODE_UNITS = 8_192;
export const MAX_TOKENS = 512;
const MAX_WORD_CHARACTERS = 100;

/** Only these characters need no normalisation: printable ASCII, tab and line ends. The trie knows both cases. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;
// The steps of BERT's normalizer. Tab and line ends are control characters that stay.
const REMOVED = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu;
const ACCENTS = /\p{Mn}/gu;
const SPACES = /\s/gu;
/** Chinese characters and punctuation marks are words of their own. These are the ranges that BERT was trained with. */
const WORDS_OF_THEIR_OWN =
  /[\p{P}\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}\u{2a700}-\u{2b81f}\u{2b920}-\u{2ceaf}\u{2f800}-\u{2fa1f}]/gu;

/** `[PAD]`, `[UNK]`, `[unused7]` and the like, which stand for no text. */
export const isSpecialToken = (token: string): boolean => token.length > 1 && token.startsWith("[");

/** Of a vocabulary with one token a line. */
export function createWordPiece(vocabulary: string) {
  const trie = createTrie(vocabulary);

  /** Appends the tokens of the word at `start` to `end` (exclusive). Returns the new count, or `count` if it is unknown. */
  function divide(text: string, start: number, end: number, tokens: Int32Array, count: number): number {
    let at = start;
    let found = count;
    while (at < end) {
      if (found === MAX_TOKENS) return found;
      const token = trie.longestMatch(text, at, end, at > start);
      if (token < 0) return count;
      tokens[found++] = token;
      at += trie.matchedLength();
    }
    return found;
  }

  return {
    /** Writes the positions of the text's tokens into `tokens`, which has room for MAX_TOKENS. Returns how many there are. */
    tokenize(text: string, tokens: Int32Array): number {
      const bounded = text.length > MAX_CODE_UNITS ? text.slice(0, MAX_CODE_UNITS) : text;
      const plain = PLAIN.test(bounded) ? bounded : normalize(bounded);
      const { length } = plain;
      let count = 0;
      for (let at = 0; at < length && count < MAX_TOKENS; ) {
        const start = at;
        const kind = kindOf(plain.charCodeAt(at++));
        if (kind === SPACE) continue;
        if (kind === WORD) while (at < length && kindOf(plain.charCodeAt(at)) === WORD) at++;
        if (isTooLong(plain, start, at)) continue;
        count = divide(plain, start, at, tokens, count);
      }
      return count;
    },
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
function isTooLong(text: string, start: number, end: number): boolean {
  if (end - start <= MAX_WORD_CHARACTERS) return false;
  if (end - start > 2 * MAX_WORD_CHARACTERS) return true;
  return Array.from(text.slice(start, end)).length > MAX_WORD_CHARACTERS;
}

const WORD = 0;
const SPACE = 1;
const PUNCTUATION = 2;

const ASCII_KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  if (code <= 0x20) return SPACE;
  return /[0-9A-Za-z\x7f]/.test(String.fromCharCode(code)) ? WORD : PUNCTUATION;
});

/** In a normalised text, all other punctuation marks and spaces stand between ASCII spaces. */
function kindOf(code: number): number {
  return code < 128 ? (ASCII_KINDS[code] as number) : WORD;
}

const ROOT = 0;
const CONTINUATION_ROOT = 1;

/** Its edges are in one open-addressing hash table, by node and character's number (not 0). Zeros are free. */
function createTrie(vocabulary: string) {
  const characters = numberCharacters(vocabulary);
  // Words share their beginnings, so that a third of this is used.
  const size = 2 ** Math.ceil(Math.log2(vocabulary.length + 3));
  const keys = new Int32Array(size);
  const children = new Int32Array(size);
  /** For each node, one more than the position of the token that ends there. */
  const ends = new Int32Array(vocabulary.length + 2);
  let nodes = 2;
  let matched = 0;

  /** The slot of an edge, or the free slot where it belongs. */
  function slotOf(key: number): number {
    let slot = (Math.imul(key, 0x9e3779b1) >>> 7) & (size - 1);
    while (keys[slot] !== key && keys[slot] !== 0) slot = (slot + 1) & (size - 1);
    return slot;
  }

  /** Adds the token at `start` to `end` (exclusive) of the vocabulary. */
  function add(start: number, end: number, position: number): void {
    const isContinuation = end - start > 2 && vocabulary.startsWith("##", start);
    let node = isContinuation ? CONTINUATION_ROOT : ROOT;
    for (let at = isContinuation ? start + 2 : start; at < end; at++) {
      const key = node * characters.count + (characters.numbers[vocabulary.charCodeAt(at)] as number);
      const slot = slotOf(key);
      if (keys[slot] === 0) {
        keys[slot] = key;
        children[slot] = nodes++;
      }
      node = children[slot] as number;
    }
    ends[node] = position + 1;
  }

  for (let start = 0, position = 0; start < vocabulary.length; position++) {
    const lineEnd = vocabulary.indexOf("\n", start);
    const end = lineEnd < 0 ? vocabulary.length : lineEnd;
    if (!isSpecialToken(vocabulary.slice(start, end))) add(start, end, position);
    start = end + 1;
  }

  return {
    /** The position of the longest token that the text has at `start`, before `end`; -1 when there is none. */
    longestMatch(text: string, start: number, end: number, isContinuation: boolean): number {
      let node = isContinuation ? CONTINUATION_ROOT : ROOT;
      let best = -1;
      for (let at = start; at < end; at++) {
        const character = characters.numbers[text.charCodeAt(at)] as number;
        if (character === 0) break;
        const slot = slotOf(node * characters.count + character);
        if (keys[slot] === 0) break;
        node = children[slot] as number;
        const token = ends[node] as number;
        if (token === 0) continue;
        best = token - 1;
        matched = at + 1 - start;
      }
      return best;
    },
    /** How many code units the last match took. */
    matchedLength: (): number => matched,
  };
}

/** Numbers the code units that occur, from 1. Capital ASCII letters have the numbers of small ones. 0: does not occur. */
function numberCharacters(vocabulary: string) {
  const numbers = new Uint16Array(65_536);
  let count = 1;
  for (let i = 0; i < vocabulary.length; i++) {
    const code = vocabulary.charCodeAt(i);
    if (numbers[code] === 0) numbers[code] = count++;
  }
  for (let code = 0x41; code <= 0x5a; code++) numbers[code] = numbers[code + 32] as number;
  return { numbers, count };
}
