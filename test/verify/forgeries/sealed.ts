// Sealed receipts and pseudonyms without their opening, and lies about the sealed form: nothing of it is green.
import { anchored, anchoredReceipt, goodReceipt, withChain } from "#test/support/anchored-receipt.ts";
import { pseudonym, sealedCase } from "#test/support/sealed-case.ts";
import { sealedReceipt } from "#test/support/signed-receipt.ts";
import { altered, another, type Forgery, forgery, leavesOf, noProof, textOf, without } from "./forgery.ts";

const { seen } = sealedCase();
const sealed = sealedReceipt(goodReceipt());

/** What fits the form of its place, but is not what was signed. */
const REFUSED: ReadonlyMap<string, Forgery["code"]> = new Map([
  ["/v", "receipt-malformed"],
  ["/kind", "receipt-malformed"],
  ["/signature/keyId", "key-not-on-gate"],
]);

const changes = leavesOf(sealed).map((path) =>
  forgery(
    `sealed: our sealed receipt with another ${textOf(path)}`,
    anchoredReceipt(altered(sealed, path, another)),
    REFUSED.get(textOf(path)) ?? "signature-wrong",
  ),
);

const commitments = sealed.commitments as Readonly<Record<string, string>>;
const shapes = (
  [
    ["without a signature", without(sealed, "signature")],
    ["with a member that nobody signed", { ...sealed, agentId: "assistant" }],
    ["without the commitment to its agent", { ...sealed, commitments: without(commitments, "/agentId") }],
    ["with half of a memory", { ...sealed, commitments: without(commitments, "/usedMemories/1/snippet") }],
    [
      "without its first memory",
      { ...sealed, commitments: without(without(commitments, "/usedMemories/0/rest"), "/usedMemories/0/snippet") },
    ],
    [
      "with a commitment to a field of no receipt",
      { ...sealed, commitments: { ...commitments, "/secret": "00".repeat(32) } },
    ],
    ["with a commitment that is no digest", { ...sealed, commitments: { ...commitments, "/agentId": "assistant" } }],
    ["with a prompt although no model was asked", { ...sealed, model: null, template: null }],
  ] as const
).map(([name, changed]) => forgery(`sealed: a receipt ${name}`, anchoredReceipt(changed), "receipt-malformed"));

const { claimed } = seen.object.receipt;
export const sealedForgeries: readonly Forgery[] = [
  noProof("sealed: a sealed receipt without an opening", seen, "sealed"),
  forgery(
    "sealed: a sealed receipt whose claims the ledger refused",
    withChain(seen, { allAuthorized: false }),
    "claims-refused",
  ),
  forgery("sealed: a sealed receipt under another version", withChain(seen, { policyVersion: "6" }), "policy-differs"),
  noProof(
    "sealed: an open receipt whose agent is a pseudonym on the ledger",
    anchored({
      gate: { pseudonyms: true },
      chain: { agent: pseudonym("assistant"), claimed: claimed.map((name) => pseudonym(name)).sort() },
    }),
    "agent-pseudonym",
  ),
  noProof(
    "sealed: plain names on a gate that says that it has pseudonyms",
    anchored({ gate: { pseudonyms: true } }),
    "claims-pseudonyms",
  ),
  forgery(
    "sealed: pseudonyms on a gate that says that it has plain names",
    anchored({ chain: { agent: pseudonym("assistant"), claimed: claimed.map((name) => pseudonym(name)).sort() } }),
    "agent-differs",
  ),
  ...changes,
  ...shapes,
];
