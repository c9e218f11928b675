// Lies of the blob store: it returns other bytes than were stored, or none. The ledger is honest.
import {
  type AnchoredCase,
  anchored,
  FACTS,
  goodReceipt,
  utf8,
  walrusLike,
  withMemory,
} from "#test/support/anchored-receipt.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import { altered, another, type Forgery, forgery, leavesOf, noProof, textOf, without } from "./forgery.ts";

const good = anchored();
const receipt = goodReceipt();
const text = new TextDecoder().decode(good.blob);

const otherText = (name: string, blob: string): Forgery =>
  forgery(`store: the receipt ${name}`, { ...good, blob: utf8(blob) }, "digest-differs");

const receipts: Forgery[] = [
  ...leavesOf(receipt).map((path) =>
    otherText(`with another ${textOf(path)}`, sortedJson(altered(receipt, path, another))),
  ),
  otherText("indented", JSON.stringify(receipt, null, 2)),
  otherText("with a line end", `${text}\n`),
  otherText("with a byte order mark", `\ufeff${text}`),
  otherText("cut off", text.slice(0, -1)),
  otherText("twice", text + text),
  otherText("with no bytes", ""),
  otherText("of another answer", new TextDecoder().decode(anchored({ evidence: { policyVersion: 8 } }).blob)),
  otherText("without its signature", sortedJson(without(receipt, "signature"))),
  forgery("store: no receipt", { ...good, blob: "missing" }, "blob-missing"),
  noProof("store: no answer about the receipt", { ...good, blob: "unreachable" }, "blob-unreachable"),
];

const [diet, travel] = FACTS as [(typeof FACTS)[0] & object, (typeof FACTS)[0] & object];

/** Blobs under a memory's id, and what notices them when an id cannot be derived from the bytes. */
const MEMORIES = [
  ["with another word", sortedJson({ ...diet, content: "Fish on Mondays, never peanuts." }), "memory-differs"],
  ["with another namespace", sortedJson({ ...diet, namespace: "travel" }), "memory-differs"],
  ["with another source", sortedJson({ ...diet, sourceAgent: "thief" }), "memory-digest-differs"],
  ["with a space at its end", sortedJson({ ...diet, content: `${diet.content} ` }), "memory-digest-differs"],
  [
    "with a tab for a space",
    sortedJson({ ...diet, content: diet.content.replace(" ", "\t") }),
    "memory-digest-differs",
  ],
  ["with a time that was not given", sortedJson({ ...diet, occurredAt: "2026-05-08" }), "memory-digest-differs"],
  ["with metadata that were not given", sortedJson({ ...diet, metadata: { a: 0.5 } }), "memory-digest-differs"],
  ["with a number as its time", sortedJson({ ...diet, occurredAt: 2026 }), "memory-malformed"],
  ["with a list as its metadata", sortedJson({ ...diet, metadata: [] }), "memory-malformed"],
  ["with a list in its metadata", sortedJson({ ...diet, metadata: { a: [] } }), "memory-malformed"],
  ["with null in its metadata", sortedJson({ ...diet, metadata: { a: null } }), "memory-malformed"],
  ["with a further field", sortedJson({ ...diet, note: "" }), "memory-malformed"],
  ["without its source", sortedJson({ content: diet.content, namespace: diet.namespace }), "memory-malformed"],
  ["with a number as its source", sortedJson({ ...diet, sourceAgent: 1 }), "memory-malformed"],
  ["indented", JSON.stringify(diet, null, 1), "memory-malformed"],
  ["with a line end", `${sortedJson(diet)}\n`, "memory-malformed"],
  ["with a byte order mark", `\ufeff${sortedJson(diet)}`, "memory-malformed"],
  ["with its content twice", sortedJson(diet).replace("{", '{"content":"Meat.",'), "memory-malformed"],
  ["that is a list", "[]", "memory-malformed"],
  ["that is null", "null", "memory-malformed"],
  ["with no bytes", "", "memory-malformed"],
  ["that is another memory", sortedJson(travel), "memory-differs"],
] as const;

function memoriesOf(
  store: string,
  seen: AnchoredCase,
  codeOf: (code: (typeof MEMORIES)[number][2]) => Forgery["code"],
) {
  const [ref = "", other = ""] = [...seen.memories.keys()];
  const longer = sortedJson({ ...travel, content: travel.content.replace("and back", "and stay") });
  return [
    ...MEMORIES.map(([name, blob, code]) =>
      forgery(`store (${store}): a memory ${name}`, withMemory(seen, ref, utf8(blob)), codeOf(code)),
    ),
    forgery(
      `store (${store}): a memory changed beyond its snippet`,
      withMemory(seen, other, utf8(longer)),
      codeOf("memory-digest-differs"),
    ),
    noProof(`store (${store}): no memory`, withMemory(seen, ref, "missing"), "memory-missing"),
    noProof(`store (${store}): no answer about a memory`, withMemory(seen, ref, "unreachable"), "memory-unreachable"),
  ];
}

export const storeForgeries: Forgery[] = [
  ...receipts,
  ...memoriesOf("ids like Walrus", anchored({ idOf: walrusLike }), (code) => code),
  ...memoriesOf("ids from the bytes", good, () => "memory-other-id"),
];
