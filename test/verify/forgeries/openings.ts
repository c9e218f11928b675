// Openings that are not of the receipt, or not openings: each would show a reader something that the service did not sign.
import type { CheckCode } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import {
  disclosedNames,
  nameSalt,
  narrowedCase,
  type OpeningJson,
  onPseudonyms,
  openingOf,
  pseudonym,
  SEED_HEX,
  sealedCase,
  withOpening,
} from "#test/support/sealed-case.ts";
import { saltOf } from "#test/support/signed-receipt.ts";
import { another } from "./forgery.ts";

export interface ForgedOpening {
  readonly name: string;
  readonly seen: Observation;
  readonly code: CheckCode;
}

const sealed = sealedCase();
const { seen, values, whole } = sealed;
const paths = Object.keys(values);
const text = sortedJson(whole);

const forged = (
  name: string,
  opening: OpeningJson | string,
  code: CheckCode,
  on: Observation = seen,
): ForgedOpening => ({
  name,
  seen: withOpening(on, opening),
  code,
});

const differs = (name: string, opening: OpeningJson) => forged(name, opening, "opening-differs");
const malformed = (name: string, opening: OpeningJson | string) => forged(name, opening, "opening-malformed");
const changed = (path: string): unknown => {
  const value = values[path];
  return typeof value === "string" ? another(value) : { ...(value as object), extra: 1 };
};

const seeds = [
  differs("another receipt's seed", { ...whole, seed: "ab".repeat(32) }),
  differs("a seed with one other digit", { ...whole, seed: another(SEED_HEX) }),
  differs("the seed in reverse", { ...whole, seed: Buffer.from(SEED_HEX, "hex").reverse().toString("hex") }),
  differs("a salt in place of the seed", { ...whole, seed: saltOf("/agentId") }),
  malformed("a seed that is cut off", { ...whole, seed: SEED_HEX.slice(2) }),
  malformed("a seed in capitals", { ...whole, seed: SEED_HEX.replace(/[a-f]/g, (digit) => digit.toUpperCase()) }),
  malformed("a seed as a number", { ...whole, seed: 1 }),
];

const wrong = paths.flatMap((path, i) => {
  const next = paths[(i + 1) % paths.length] ?? "";
  const one = openingOf(sealed, [path]);
  return [
    differs(`another value of ${path}`, { ...whole, values: { ...values, [path]: changed(path) } }),
    differs(`${path} with the salt of ${next}`, { ...one, salts: { [path]: saltOf(next) } }),
    differs(`${path} under the salt of another receipt`, {
      ...one,
      salts: { [path]: saltOf(path, new Uint8Array(32).fill(5)) },
    }),
  ];
});

const swap = (a: string, b: string): OpeningJson => ({
  ...whole,
  values: { ...values, [a]: values[b], [b]: values[a] },
});
const swapped = [
  differs("the snippets of two memories swapped", swap("/usedMemories/0/snippet", "/usedMemories/1/snippet")),
  differs("two memories swapped without their snippets", swap("/usedMemories/0/rest", "/usedMemories/1/rest")),
  differs("question and answer swapped", swap("/question", "/answer")),
  differs("agent and question swapped", swap("/agentId", "/question")),
];

const cut = [1, 40, 100, 500, text.length - 1].map((end) =>
  malformed(`cut off after ${end} characters`, text.slice(0, end)),
);

const fields = [
  ["/evidence", 1],
  ["/usedMemories/2/rest", values["/usedMemories/0/rest"]],
  ["/usedMemories/00/rest", values["/usedMemories/0/rest"]],
  ["/usedMemories/0", values["/usedMemories/0/rest"]],
  ["agentId", "assistant"],
  ["toString", "assistant"],
  ["", "assistant"],
].map(([path, value]) =>
  forged(
    `a field that the receipt does not have: ${JSON.stringify(path)}`,
    { ...whole, values: { ...values, [String(path)]: value } },
    "opening-other-field",
  ),
);

const doubled = (member: string) => text.replace(`{`, `{${member},`);
const forms = [
  malformed("no JSON", "opening"),
  malformed("nothing", ""),
  malformed("a list", "[]"),
  malformed("null", "null"),
  malformed("a member that is not known", { ...whole, receipt: {} } as OpeningJson),
  malformed("a seed twice", doubled(`"seed":"${"ab".repeat(32)}"`)),
  malformed("a path twice", text.replace('"values":{', '"values":{"/agentId":"mallory",')),
  malformed("white space", text.replace(":", ": ")),
  malformed("members in another order", JSON.stringify({ v: 2, seed: SEED_HEX, values: {} })),
  malformed("a number in another form", text.replace('"v":2', '"v":2.0')),
  malformed("a character in another form", text.replace("assistant", "\\u0061ssistant")),
  malformed("a byte order mark", `\ufeff${text}`),
  malformed("a line end at the end", `${text}\n`),
  malformed("format 1", { ...whole, v: 1 }),
  malformed("a format in quotes", { ...whole, v: "2" }),
  malformed("no format", sortedJson({ seed: SEED_HEX, values })),
  malformed("a seed and salts", { ...whole, salts: {} }),
  malformed("values without salts", { v: 2, values }),
  malformed("a salt without a value", { v: 2, salts: { "/agentId": saltOf("/agentId") } }),
  malformed("a salt that is no salt", { ...openingOf(sealed, ["/agentId"]), salts: { "/agentId": "00" } }),
  malformed("values in a list", sortedJson({ ...whole, values: Object.values(values) })),
  malformed(
    "a value that is nested a thousand deep",
    `{"seed":"${SEED_HEX}","v":2,"values":{"/agentId":${"[".repeat(999)}${"]".repeat(999)}}}`,
  ),
  malformed("a lone surrogate", text.replace("assistant", "\\ud800")),
  forged("a value of a megabyte", { ...whole, values: { "/answer": "x".repeat(1024 * 1024) } }, "opening-too-large"),
  forged(
    "a text of three bytes a character",
    `{"v":2,"values":{"/answer":"${"€".repeat(300_000)}"}}`,
    "opening-too-large",
  ),
  malformed("hundreds of texts", { v: 2, blobs: Array.from({ length: 300 }, (_, i) => String(i)) }),
];

const [blob] = [...seen.memories.values()].map((bytes) => Buffer.from(bytes).toString());
const blobs = [
  forged("another text of a memory", { ...whole, blobs: ["{}"] }, "opening-blob-differs"),
  forged("a memory's text with a space at its end", { ...whole, blobs: [`${blob} `] }, "opening-blob-differs"),
  forged(
    "the text of a memory that stays sealed",
    { ...openingOf(sealed, ["/agentId"]), blobs: [blob] },
    "opening-blob-differs",
  ),
  malformed("a memory's text twice", { ...whole, blobs: [blob, blob] }),
];

const hidden = onPseudonyms();
const names = [
  forged(
    "names on a gate that has plain ones",
    { ...whole, names: disclosedNames("assistant") },
    "opening-name-differs",
  ),
  forged(
    "a name with a salt of another",
    { ...hidden.whole, names: [{ name: "assistant", salt: nameSalt("diet") }] },
    "opening-name-differs",
    hidden.seen,
  ),
  forged(
    "another name with the salt of the agent's",
    { ...hidden.whole, names: [{ name: "mallory", salt: nameSalt("assistant") }] },
    "opening-name-differs",
    hidden.seen,
  ),
  forged(
    "a name that the receipt does not claim",
    { ...hidden.whole, names: disclosedNames("finance") },
    "opening-name-differs",
    hidden.seen,
  ),
  forged(
    "a pseudonym as a name",
    { ...hidden.whole, names: [{ name: pseudonym("assistant"), salt: nameSalt("assistant") }] },
    "opening-name-differs",
    hidden.seen,
  ),
  forged(
    "a name twice",
    { ...hidden.whole, names: [...disclosedNames("assistant"), ...disclosedNames("assistant")] },
    "opening-malformed",
    hidden.seen,
  ),
];

/** The service itself signed something that no receipt can say. */
const signedNonsense = (
  [
    ["an agent without a name", { agentId: "" }, ["/agentId"]],
    ["blocked namespaces that are no list", { blockedNamespaces: "all" }, ["/blockedNamespaces"]],
    [
      "more blocked namespaces than it lists, of two",
      { blockedCount: 2000, blockedDigest: "00".repeat(32) },
      undefined,
    ],
  ] as const
).map(([name, change, opened]) => {
  const nonsense = sealedCase({ alter: (receipt) => ({ ...receipt, ...change }) });
  const opening = opened === undefined ? nonsense.whole : openingOf(nonsense, opened);
  return forged(`the operator signed ${name}`, opening, "opening-value-malformed", nonsense.seen);
});

const narrow = narrowedCase();
const filters = [
  forged(
    "other filters",
    { ...narrow.whole, values: { ...narrow.values, "/filters": {} } },
    "opening-differs",
    narrow.seen,
  ),
  forged("filters where there were none", { ...whole, values: { ...values, "/filters": {} } }, "opening-other-field"),
  ...["diet", null, ["diet"]].map((value) => {
    const nonsense = narrowedCase(value);
    const name = `the operator signed filters that are no object: ${JSON.stringify(value)}`;
    return forged(name, nonsense.whole, "opening-value-malformed", nonsense.seen);
  }),
];

export const forgedOpenings: readonly ForgedOpening[] = [
  ...seeds,
  ...wrong,
  ...swapped,
  ...cut,
  ...fields,
  ...forms,
  ...blobs,
  ...names,
  ...signedNonsense,
  ...filters,
];
