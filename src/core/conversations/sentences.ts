// The sentences of a message in plain prose. Code, quotations, lists with markup and links are not read.

const CODE = /```[\s\S]*?(?:```|$)|`[^`\n]*`/gu;
const END = /(?<=[.!?…])["')\]]*\s+|\s*\n+\s*|\s[-–—]\s|;\s/u;
const ABBREVIATION = /(?:^|[\s(])(?:dr|mr|mrs|ms|prof|st|mt|vs|e\.g|i\.e|approx|[a-z]\.[a-z]|\p{Lu})\.$/iu;
const AFTER_TIME = /\b[ap]\.m\.$/iu;

export function sentencesOf(text: string): string[] {
  const sentences: string[] = [];
  for (const piece of text.replace(CODE, "\n").split(END)) {
    const last = sentences.at(-1);
    const isContinued =
      last !== undefined && ABBREVIATION.test(last) && !(AFTER_TIME.test(last) && /^\p{Lu}/u.test(piece));
    if (isContinued) sentences[sentences.length - 1] = `${last} ${piece}`;
    else if (piece.trim() !== "") sentences.push(piece.trim());
  }
  return sentences;
}
