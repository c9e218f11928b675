// Lies of a stranger, who has no capability and no key: objects of other packages, and receipts that are not the
// service's, which the service anchors all the same when an admin asks for it. The ledger is honest, and so is the store.

import { anchored, anchoredReceipt, goodReceipt, plainReceipt } from "#test/support/anchored-receipt.ts";
import { fetchedObject, PACKAGE_ID } from "#test/support/ledger-objects.ts";
import { type ReceiptJson, sealedAndSigned, signingPair } from "#test/support/signed-receipt.ts";
import { altered, another, type Forgery, forgery, leavesOf, noProof, textOf, without } from "./forgery.ts";

const good = anchored();
const receipt = goodReceipt();

/** Anchored as the service would: for the agent that it names. */
const withReceipt = (changed: object): Forgery["seen"] =>
  anchoredReceipt(changed, { agentId: String((changed as { agentId?: unknown }).agentId) });

const STRANGER = `0x${"ac".repeat(32)}`;
const objects = (
  [
    ["of another package", "Receipt", "gate", STRANGER],
    ["of a package whose id ends like ours", "Receipt", "gate", `0x${"00".repeat(16)}${"ab".repeat(16)}`],
    ["of another module", "Receipt", "gates", PACKAGE_ID],
    ["of a module in another case", "Receipt", "Gate", PACKAGE_ID],
    ["of another type", "Receipts", "gate", PACKAGE_ID],
    ["that is a capability", "AnchorCap", "gate", PACKAGE_ID],
    ["that is a gate", "Gate", "gate", PACKAGE_ID],
  ] as const
).map(([name, type, module, packageId]) => {
  const object = fetchedObject(good.receiptId, type, "immutable", good.object.content, { packageId, module });
  return forgery(`stranger: an object ${name}`, { ...good, object }, "object-other-type");
});

const types = ["<u8>", "::x", "\n", " "].map((end) => {
  const object = { ...good.object, type: `${good.object.type}${end}` };
  return forgery(`stranger: a type that ends in ${JSON.stringify(end)}`, { ...good, object }, "object-other-type");
});

/** What fits the form of its place, but is not what was signed. */
const REFUSED: ReadonlyMap<string, Forgery["code"]> = new Map([
  ["/evidence/v", "evidence-malformed"],
  ["/evidence/kind", "evidence-malformed"],
  ["/signature/keyId", "key-not-on-gate"],
  ["/usedMemories/0/authorized", "not-authorized"],
  ["/usedMemories/1/authorized", "not-authorized"],
]);

const changes = leavesOf(receipt).map((path) =>
  forgery(
    `stranger: our receipt with another ${textOf(path)}`,
    withReceipt(altered(receipt, path, another)),
    REFUSED.get(textOf(path)) ?? "signature-wrong",
  ),
);

const stolen = goodReceipt({ evidence: { policyDigest: "00".repeat(32) } });
const own = signingPair(66);
const signatures = [
  forgery("stranger: signed by a key of his own", withReceipt(sealedAndSigned(receipt, own)), "key-not-on-gate"),
  forgery(
    "stranger: signed by a key of his own, under the id of the service's key",
    withReceipt({
      ...receipt,
      signature: { ...(sealedAndSigned(receipt, own).signature as object), keyId: keyOf(receipt) },
    }),
    "signature-wrong",
  ),
  forgery(
    "stranger: the signature of another receipt",
    withReceipt({ ...receipt, signature: stolen.signature }),
    "signature-wrong",
  ),
  forgery("stranger: a signature without evidence", withReceipt(without(receipt, "evidence")), "evidence-malformed"),
  forgery("stranger: evidence without a signature", withReceipt(without(receipt, "signature")), "evidence-malformed"),
  ...["", "A".repeat(86), "A".repeat(85), `${"A".repeat(85)}B`, "!".repeat(86), "A".repeat(88)].map((value) =>
    forgery(
      `stranger: a signature that is ${JSON.stringify(value.slice(0, 4))}, ${value.length} characters, ending in ${JSON.stringify(value.at(-1) ?? "")}`,
      withReceipt({ ...receipt, signature: { keyId: keyOf(receipt), value } }),
      value.length === 86 && value.endsWith("A") ? "signature-wrong" : "evidence-malformed",
    ),
  ),
];

function keyOf({ signature }: ReceiptJson): string {
  return (signature as { readonly keyId: string }).keyId;
}

const stated = { model: null, policyDigest: "22".repeat(32), policyVersion: 7 };
const formats = [
  noProof("stranger: a receipt with the specification's fields alone", withReceipt(plainReceipt()), "evidence-absent"),
  noProof("stranger: the same, which is not signed", withReceipt(plainReceipt()), "signature-absent"),
  ...[
    ["nothing", {}],
    ["a list", []],
    ["null", null],
    ["a text", "2"],
    ["without a version", stated],
    ["another version", { ...stated, v: 3 }],
  ].map(([name, evidence]) =>
    forgery(`stranger: evidence that is ${name}`, withReceipt({ ...plainReceipt(), evidence }), "evidence-malformed"),
  ),
];

export const strangerForgeries: Forgery[] = [...objects, ...types, ...changes, ...signatures, ...formats];
