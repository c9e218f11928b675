import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createWordPiece, MAX_TOKENS } from "#core/recall/meaning/wordpiece.ts";

const file = new URL("../../assets/word-vectors/vocabulary.txt", import.meta.url);
const vocabulary = readFileSync(file, "utf8").trimEnd().split("\n");
const wordPiece = createWordPiece(vocabulary.join("\n"));

function tokensOf(text: string): string[] {
  const tokens = new Int32Array(MAX_TOKENS);
  const count = wordPiece.tokenize(text, tokens);
  return Array.from(tokens.subarray(0, count), (token) => vocabulary[token] as string);
}

describe("WordPiece divides as the model's own tokenizer does, and leaves unknown words out", () => {
  // Made with the tokenizer.json of the model and another implementation of its rules.
  test.each<[text: string, tokens: string]>([
    ["Severe peanut allergy", "severe peanut all ##ergy"],
    ["Am I allergic to anything?", "am i allergic to anything ?"],
    ["unaffable", "una ##ffa ##ble"],
    ["Unbelievably, she couldn't re-schedule.", "un ##bel ##ie ##va ##bly , she couldn ' t re - schedule ."],
    ["It's 07:40 on 2026-05-01", "it ' s 07 : 40 on 202 ##6 - 05 - 01"],
    ["10 mg b.i.d.", "10 mg b . i . d ."],
    ["café CAFÉ cafe\u0301", "cafe cafe cafe"],
    ["Zürich, Ångström, naïve façade", "zurich , ang ##strom , naive facade"],
    ["Straße", "st ##raße"],
    ["İstanbul", "istanbul"],
    ["ŁÓDŹ", "łodz"],
    ["ΣΊΣΥΦΟΣ", "σ ##ι ##σ ##υ ##φ ##ος"],
    ["Привет, мир", "п ##р ##и ##в ##е ##т , м ##и ##р"],
    ["東京都", "東 京 都"],
    ["iPhone手机", "iphone 手"],
    ["ひらがなカタカナ", "ひ ##ら ##か ##な ##カ ##タ ##カ ##ナ"],
    ["한국어", "ᄒ ##ᅡ ##ᆫ ##ᄀ ##ᅮ ##ᆨ ##ᄋ ##ᅥ"],
    ["हिन्दी", "ह ##ि ##न ##द ##ी"],
    ["สวัสดี", ""],
    ["שלום עולם", "ש ##ל ##ו ##ם ע ##ו ##ל ##ם"],
    ["السلام عليكم", "ا ##ل ##س ##ل ##ا ##م ع ##ل ##ي ##ك ##م"],
    ["🙂", ""],
    ["peanut🥜butter", ""],
    ["🙂 peanut", "peanut"],
    ["a\u200bb", "ab"],
    ["tab\tand\nnewline\u00a0space\u3000wide", "tab and new ##line space wide"],
    ["null\u0000byte", "null ##by ##te"],
    ["“quotes” – dash… ellipsis", "“ quotes ” – dash … el ##lip ##sis"],
    ["$5.00 + 3% = <ok> ^_^ `x` ~y|z", "$ 5 . 00 + 3 % = < ok > ^ _ ^ ` x ` ~ y | z"],
    ["e-mail: ann@example.org", "e - mail : ann @ example . org"],
    ["https://example.org/?q=1", "https : / / example . org / ? q = 1"],
    ["C++ and C#", "c + + and c #"],
    ["HTTP2", "http ##2"],
    ["ﬁne ﬁsh", "ﬁ ##ne ﬁ ##sh"],
    ["½ ² ③", "½ ²"],
    ["ＡＢＣ１２３", ""],
    ["x\ufffdy", "x ##y"],
    ["don’t", "don ’ t"],
    ["##ing", "# # ing"],
    ["antidisestablishmentarianism", "anti ##dis ##est ##ab ##lish ##ment ##arian ##ism"],
    ["supercalifragilisticexpialidocious", "super ##cal ##if ##rag ##ilis ##tic ##ex ##pia ##lid ##oc ##ious"],
    ["zzzzqqqq", "z ##zz ##z ##q ##q ##q ##q"],
    ["豈", ""],
    ["𠀀𪛖", ""],
    ["aé", "ae"],
    ["l’été à Genève", "l ’ et ##e a gene ##ve"],
    ["¿Qué tal?", "¿ que tal ?"],
    ["1,000,000", "1 , 000 , 000"],
    ["snake_case camelCase", "snake _ case camel ##case"],
  ])("%s", (text, tokens) => {
    expect(tokensOf(text).join(" ")).toBe(tokens);
  });
});

describe("hostile text", () => {
  test("a word of more than 100 characters is unknown", () => {
    expect(tokensOf("a".repeat(100)).length).toBeGreaterThan(0);
    expect(tokensOf("a".repeat(101))).toEqual([]);
    expect(tokensOf(`before ${"a".repeat(10_000)} after`)).toEqual(["before"]);
    expect(tokensOf(`before ${"é".repeat(4_000)} after`)).toEqual(["before", "after"]);
  });

  test("a long text is cut", () => {
    expect(tokensOf("word ".repeat(10_000))).toHaveLength(MAX_TOKENS);
    expect(tokensOf("!".repeat(100_000))).toHaveLength(MAX_TOKENS);
    expect(tokensOf("\u0000".repeat(100_000))).toEqual([]);
  });

  test("special tokens cannot be written", () => {
    expect(tokensOf("[CLS] [unused7]")).toEqual(["[", "cl", "##s", "]", "[", "unused", "##7", "]"]);
  });

  test("half a surrogate pair is ignored", () => {
    expect(tokensOf("a\ud83d b\ude00")).toEqual(["a", "b"]);
  });
});

const known = new Set(vocabulary);

/** The rules of WordPiece as they are usually written, with strings and a set. */
function tokensByDefinition(text: string): string[] {
  const words = text
    .replace(/(?![\t\n\r])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\ufffd]/gu, "")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .toLowerCase()
    .split(
      /(?<character>[!-/:-@[-`{-~\p{P}\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{f900}-\u{faff}\u{20000}-\u{2a6df}])|\s+/u,
    )
    .filter((word) => word !== undefined && word !== "");
  return words.flatMap((word) => {
    const characters = Array.from(word);
    if (characters.length > 100) return [];
    const pieces: string[] = [];
    for (let start = 0; start < characters.length; ) {
      let end = characters.length;
      const piece = () => (start > 0 ? "##" : "") + characters.slice(start, end).join("");
      while (end > start && !known.has(piece())) end -= 1;
      if (end === start) return [];
      pieces.push(piece());
      start = end;
    }
    return pieces;
  });
}

test("the trie gives what the definition gives", () => {
  const character = fc.constantFrom(
    ...Array.from("aeinrstABZ019 \t\n'-_$.éÜßñçøłαΣςжЙאمहि東京の한글🙂\u0301\u200b\u0000…“"),
  );
  const words = fc.constantFrom("allergies", "unaffable", "Peanut", "naïve", "Zürich", "don't", "2026-05-01");
  fc.assert(
    fc.property(fc.array(fc.oneof(character, words), { maxLength: 60 }), (parts) => {
      const text = parts.join("");
      expect(tokensOf(text)).toEqual(tokensByDefinition(text));
    }),
    { numRuns: 300 },
  );
});
